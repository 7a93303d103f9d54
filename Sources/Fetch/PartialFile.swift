import Glibc
import Platform

/// The file that a download grows in.
///
/// For its owner alone to read, as what it becomes part of. Belongs to one process at a time, by a lock that ends with the process. Only grows: other content is
/// another file under the same name.
final class PartialFile {
  /// Where it is.
  let path: String
  /// How many bytes there are.
  private(set) var length: Int64
  /// What they are the beginning of; `nil` where that is not known, and they are of no use.
  private(set) var kept: Representation?
  /// The URL as in messages.
  private let url: String
  private var file: FileDescriptor

  /// Opens what there is, or an empty file.
  /// - Throws: `busy` where another process has it; `file`, `noSpace`.
  init(_ request: FetchRequest, url: String) throws(FetchError) {
    self.url = url
    path = request.path
    file = try onDisk(url) { () throws(PlatformError) in
      try FileDescriptor.open(request.path, .append, permissions: 0o600)
    }
    try Self.lock(file, path, url)
    length = try onDisk(url) { () throws(PlatformError) in
      try FileStatus(request.path).size
    }
    guard length > 0, let validators = request.resumeValidators else { return }
    kept = Representation(validators: validators, resumeValidators: validators)
  }

  /// Takes the file for this process, if it is still the one of this name.
  private static func lock(
    _ file: borrowing FileDescriptor, _ path: String, _ url: String
  ) throws(FetchError) {
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0,
      let own = try? FileStatus(descriptor: file.rawValue),
      let named = try? FileStatus(path, followingLinks: false), own.isSameFile(as: named)
    else { throw FetchError(.busy, url: url, "another process is fetching it into \(path)") }
  }

  /// Begins with no bytes of something else.
  func begin(_ representation: Representation) throws(FetchError) {
    kept = representation
    guard length > 0 else { return }
    // Another file of this name: whoever reads the old one along keeps what it has.
    file = try onDisk(url) { () throws(PlatformError) in
      try Files.removeFile(path)
      return try FileDescriptor.open(path, .append, permissions: 0o600)
    }
    length = 0
    try Self.lock(file, path, url)
  }

  /// Notes what more is known of the bytes that are there.
  func learn(_ representation: Representation) { kept = representation }

  /// Takes the bytes for the beginning of something that is no more.
  func forget() { kept = nil }

  /// Adds bytes at the end.
  func append(_ bytes: RawSpan) throws(FetchError) {
    do throws(PlatformError) {
      try file.writeAll(bytes)
    } catch {
      throw diskError(error, url, writing: path)
    }
    length += Int64(bytes.byteCount)
  }

  /// Puts the bytes, which are all, on the disk.
  func finish() throws(FetchError) {
    try onDisk(url) { () throws(PlatformError) in
      try Files.syncFile(path)
      try Files.syncDirectory(Files.parent(of: path))
    }
  }

  /// Removes the bytes, which are of no use to anybody.
  func discard() { try? Files.removeFile(path) }
}

/// Runs a call of the platform, with its error as one about the file of a URL.
private func onDisk<R: ~Copyable>(
  _ url: String, _ body: () throws(PlatformError) -> R
) throws(FetchError) -> R {
  do throws(PlatformError) {
    return try body()
  } catch {
    throw diskError(error, url)
  }
}

/// `path` is where an open file lies, of which an error knows the number only.
private func diskError(
  _ error: PlatformError, _ url: String, writing path: String? = nil
) -> FetchError {
  let place = path.map(Files.parent) ?? error.subject
  guard error.isNoSpace else {
    return FetchError(.file, url: url, "it cannot be kept in \(place): \(error.code)")
  }
  return FetchError(.noSpace, url: url, "no space left in \(place); make room and try again")
}
