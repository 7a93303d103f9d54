import Glibc

/// A file that could not be read to its end for a digest.
public struct DigestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The errno value.
  public let code: Int32
  /// The C function that failed: `open` or `read`.
  public let call: String
  /// The file's path.
  public let subject: String

  /// The file, the C library's words and the call.
  public var description: String {
    // glibc keeps the text per thread (2.32 and later), and it is copied at once.
    guard let text = unsafe strerror(code) else { return "\(subject): error \(code) (\(call))" }
    return "\(subject): \(unsafe String(cString: text)) (\(call))"
  }
}

extension SHA256Digest {
  /// Reads a file from start to end through a buffer of 256 KiB, whatever the file's size.
  ///
  /// Blocks for as long as reading takes.
  /// - Throws: `DigestError` when the file is missing, a directory, or unreadable.
  public init(ofFileAt path: String) throws(DigestError) {
    let descriptor = try check("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    defer { _ = close(descriptor) }
    // Only advice: the kernel reads further ahead.
    _ = posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
    var hasher = SHA256Hasher()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    let capacity = buffer.count
    while true {
      // `read` writes at most `capacity` bytes.
      let count = try check("read", path) { unsafe read(descriptor, &buffer, capacity) }
      if count == 0 { break }
      // A byte has no padding, so every byte of the span is initialised.
      unsafe hasher.update(buffer.span.extracting(0..<count).bytes)
    }
    self = hasher.finish()
  }
}

/// Runs a call that answers -1 for failure, again while a signal interrupts it.
private func check<R: SignedInteger>(
  _ call: String, _ subject: String, _ body: () -> R
) throws(DigestError) -> R {
  while true {
    let result = body()
    guard result == -1 else { return result }
    guard errno == EINTR else { throw DigestError(code: errno, call: call, subject: subject) }
  }
}
