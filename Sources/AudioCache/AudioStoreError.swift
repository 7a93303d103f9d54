public import Digests
public import Platform

/// Why the store could not do what was asked.
public enum AudioStoreError: Error, Hashable, Sendable {
  /// A system call failed, on the store or on the caller's file.
  case system(PlatformError)

  /// There is something else than a file at the path, such as a directory or a symbolic link.
  case notAFile(path: String)

  /// The file does not have the digest that it was handed in under; nothing was stored.
  case wrongContent(path: String, expected: SHA256Digest, actual: SHA256Digest)

  /// A file extension is 1 to 16 letters and digits of ASCII.
  case badExtension(String)

  /// The index cannot be used.
  case index(IndexError)

  /// The track is leased, so it is not removed.
  case inUse(SHA256Digest)

  /// The origin is not in a store that this user may only read, so that it cannot be downloaded.
  case readOnly(Origin, root: String)

  /// The claim has passed on to another process, or has ended.
  case claimLost(Origin)

  /// Somebody still has the file of a download open for writing, so that it cannot be finished.
  case stillWritten(path: String)

  /// A download ended without a track.
  case downloadFailed(Origin, reason: String)

  /// A download began anew, maybe with other bytes, after some of the old ones were read.
  case downloadRestarted(Origin)
}

extension AudioStoreError: CustomStringConvertible {
  /// The path and what is wrong with it.
  public var description: String {
    switch self {
    case .system(let error): Self.words(for: error)
    case .notAFile(let path): "\(path): not a file"
    case .wrongContent(let path, let expected, let actual):
      "\(path): the content is \(actual.hex), not \(expected.hex)"
    case .badExtension(let name): "\"\(name)\" is not a file extension"
    case .index(let error): error.description
    case .inUse(let digest): "\(digest.hex): in use by a running job; try again when it has ended"
    case .readOnly(let origin, let root):
      "\(origin.location): not in the cache, and \(root) may only be read by this user; "
        + "choose another cache with $KEYMILL_CACHE or --cache"
    case .claimLost(let origin): "\(origin.location): another process has taken the download over"
    case .stillWritten(let path): "\(path): still open for writing"
    case .downloadFailed(let origin, let reason): "\(origin.location): \(reason)"
    case .downloadRestarted(let origin):
      "\(origin.location): the download began anew while it was being read; read it again"
    }
  }
}

extension AudioStoreError {
  /// What a failed system call means for people: the path, the kernel's reason, and what to do.
  private static func words(for error: PlatformError) -> String {
    if error.isNoSpace {
      return "\(error.subject): no space left for the cache; free some, or shrink the cache with "
        + "`keymill cache prune --max-size`"
    }
    if error.code == .notDirectory || error.call == "mkdir" && error.code == .exists {
      return
        "\(error.subject): something else is where the cache's directory should be; move it away, "
        + "or choose another directory with $KEYMILL_CACHE or --cache"
    }
    return "\(error.subject): \(error.code)"
  }
}

/// Runs a call of the platform, with its error as one of the store's.
func system<R>(_ body: () throws(PlatformError) -> R) throws(AudioStoreError) -> R {
  do throws(PlatformError) {
    return try body()
  } catch {
    throw .system(error)
  }
}

/// The digest of a file, read from start to end.
func contentDigest(ofFileAt path: String) throws(AudioStoreError) -> SHA256Digest {
  do throws(DigestError) {
    return try SHA256Digest(ofFileAt: path)
  } catch {
    let code = ErrorCode(rawValue: error.code)
    throw .system(PlatformError(code: code, call: error.call, subject: error.subject))
  }
}
