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
}

extension AudioStoreError: CustomStringConvertible {
  /// The path and what is wrong with it.
  public var description: String {
    switch self {
    case .system(let error): error.description
    case .notAFile(let path): "\(path): not a file"
    case .wrongContent(let path, let expected, let actual):
      "\(path): the content is \(actual.hex), not \(expected.hex)"
    case .badExtension(let name): "\"\(name)\" is not a file extension"
    }
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
