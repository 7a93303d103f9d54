public import Digests
import Platform

/// Which bytes an output is made of.
public struct InputIdentity: Equatable, Sendable {
  /// The input's absolute path, or the URL that it was downloaded from.
  public let path: String
  /// Its size in bytes.
  public let bytes: Int64
  /// When it was last changed, in nanoseconds since 1970.
  public let modifiedNanoseconds: Int64
  /// The digest of its bytes.
  public let sha256: SHA256Digest

  /// Reads a file through before anything is made of it; `report` is told as it goes on, since a file
  /// of many gigabytes takes its time.
  ///
  /// Where it was downloaded, `source` is the URL to name it by.
  /// Looks at nothing in it, so that it may be done before a process confines itself.
  /// - Throws: `MediaError` where it cannot be read, or `report` has returned false.
  public init(
    of input: String, source: String? = nil, report: @escaping (Progress) -> Bool
  ) throws(MediaError) {
    do {
      try self.init(reading: input, source, report: report)
    } catch let error as MediaError {
      throw error
    } catch let error as PlatformError {
      throw error.isNotFound
        ? MediaError(.noInput, input, "no such file")
        : error.isPermission
          ? MediaError(.noInput, input, "permission denied") : MediaError(error, about: input)
    } catch {
      throw MediaError(.defect, input, "\(error)")
    }
  }

  private init(
    reading input: String, _ source: String?, report: @escaping (Progress) -> Bool
  ) throws {
    let status = try FileStatus(input)
    path = try source ?? Files.absolutePath(input)
    bytes = status.size
    modifiedNanoseconds = status.modifiedNanoseconds
    var meter = ProgressMeter(duration: Double(status.size), report: report)
    var hasher = SHA256Hasher()
    var position = 0.0
    let file = try FileDescriptor.open(input, .read)
    while case .bytes(let piece) = try file.read(upTo: 1 << 20) {
      hasher.update(piece)
      position += Double(piece.count)
      meter.reached(position, stage: "reading")
      if meter.isCancelled { throw MediaError.interrupted(input) }
    }
    sha256 = hasher.finish()
  }

  /// Whether the file is still what was read: the same size, not changed since.
  func stillHolds(for input: String) throws(PlatformError) -> Bool {
    let status = try FileStatus(input)
    return status.size == bytes && status.modifiedNanoseconds == modifiedNanoseconds
  }
}

extension MediaError {
  /// The error of a job that nobody wants any more.
  static func interrupted(_ input: String) -> MediaError {
    MediaError(.cancelled, input, "interrupted; nothing was published")
  }
}
