import CLinux
import Glibc

/// The one owner of an open file descriptor; closes it when it goes out of scope.
public struct FileDescriptor: ~Copyable {
  /// The descriptor's number, valid as long as the owner lives.
  public let rawValue: Int32

  /// Takes over a descriptor that nothing else will close.
  public init(owning rawValue: Int32) {
    precondition(rawValue >= 0, "a descriptor is not negative")
    self.rawValue = rawValue
  }

  deinit { _ = Glibc.close(rawValue) }

  /// Closes the descriptor and reports what the kernel still had to say about written data.
  ///
  /// Wraps `close`. The descriptor is gone afterwards even if it throws.
  public consuming func close() throws(PlatformError) {
    let number = release()
    // Never repeated: on Linux the number is free again even after EINTR.
    guard Glibc.close(number) != 0, errno != EINTR else { return }
    throw PlatformError(
      code: ErrorCode(rawValue: errno), call: "close", subject: "descriptor \(number)")
  }

  /// Hands the number over to a new owner without closing it.
  public consuming func release() -> Int32 {
    let number = rawValue
    discard self
    return number
  }

  /// A second descriptor for the same open file, closed on exec.
  public func duplicate() throws(PlatformError) -> FileDescriptor {
    FileDescriptor(
      owning: try check("fcntl", "descriptor \(rawValue)") { fcntl(rawValue, F_DUPFD_CLOEXEC, 0) })
  }
}

extension FileDescriptor {
  /// What a file is opened for.
  public struct Mode: Sendable {
    let flags: Int32

    /// Reading an existing file.
    public static let read = Mode(flags: O_RDONLY)
    /// Writing from the start, creating the file or emptying it.
    public static let write = Mode(flags: O_WRONLY | O_CREAT | O_TRUNC)
    /// Writing over parts of an existing file.
    public static let update = Mode(flags: O_WRONLY)
    /// Writing a file that must not be there yet.
    public static let create = Mode(flags: O_WRONLY | O_CREAT | O_EXCL)
    /// Writing at the end, creating the file if needed.
    public static let append = Mode(flags: O_WRONLY | O_CREAT | O_APPEND)
    /// A directory, to sync it.
    public static let directory = Mode(flags: O_RDONLY | O_DIRECTORY)
  }

  /// Opens a file, closed on exec.
  ///
  /// New files get `permissions` less the process's umask.
  ///
  /// Wraps `open`. May block on a FIFO or a slow disk.
  public static func open(
    _ path: String, _ mode: Mode, permissions: UInt32 = 0o666
  ) throws(PlatformError) -> FileDescriptor {
    FileDescriptor(
      owning: try check("open", path) {
        unsafe Glibc.open(path, mode.flags | O_CLOEXEC, mode_t(permissions))
      })
  }

  /// Makes reads and writes return at once instead of waiting.
  public func setNonBlocking() throws(PlatformError) {
    let flags = try check("fcntl", "descriptor \(rawValue)") { fcntl(rawValue, F_GETFL, 0) }
    try check("fcntl", "descriptor \(rawValue)") { fcntl(rawValue, F_SETFL, flags | O_NONBLOCK) }
  }

  /// What a read brought.
  public enum ReadResult: Hashable, Sendable {
    /// At least one byte.
    case bytes([UInt8])
    /// Nothing yet (only on a non-blocking descriptor).
    case wouldBlock
    /// Nothing ever again.
    case endOfFile
  }

  /// Reads once, at most `limit` bytes.
  ///
  /// Wraps `read`.
  public func read(upTo limit: Int = 65_536) throws(PlatformError) -> ReadResult {
    var failure: PlatformError?
    // `read` writes at most `capacity` bytes into the buffer and says how many it wrote.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      do throws(PlatformError) {
        count = try check("read", "descriptor \(rawValue)") {
          unsafe Glibc.read(rawValue, buffer.baseAddress, buffer.count)
        }
      } catch {
        failure = error
      }
    }
    if let failure {
      guard failure.code == .wouldBlock else { throw failure }
      return .wouldBlock
    }
    return bytes.isEmpty ? .endOfFile : .bytes(bytes)
  }

  /// Reads until the end of the file.
  ///
  /// Blocks until then.
  public func readToEnd() throws(PlatformError) -> [UInt8] {
    var all: [UInt8] = []
    while case .bytes(let some) = try read() { all += some }
    return all
  }

  /// Writes once and says how many bytes were taken; `nil` when a non-blocking one takes none.
  ///
  /// Wraps `write`. Writing to a pipe nobody reads raises SIGPIPE unless that is ignored.
  public func write(_ bytes: RawSpan) throws(PlatformError) -> Int? {
    do throws(PlatformError) {
      return try check("write", "descriptor \(rawValue)") {
        // The kernel only reads, and only within the span's bounds.
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
      }
    } catch {
      guard error.code == .wouldBlock else { throw error }
      return nil
    }
  }

  /// Writes an array's bytes once; see `write(_:)` for a span.
  public func write(_ bytes: [UInt8]) throws(PlatformError) -> Int? {
    // A byte has no padding, so every byte of the span is initialised.
    try unsafe write(bytes.span.bytes)
  }

  /// Writes all bytes of a blocking descriptor.
  public func writeAll(_ bytes: RawSpan) throws(PlatformError) {
    var offset = 0
    while offset < bytes.byteCount {
      guard let count = try write(bytes.extracting(offset..<bytes.byteCount)) else {
        throw PlatformError(code: .wouldBlock, call: "write", subject: "descriptor \(rawValue)")
      }
      offset += count
    }
  }

  /// Writes all bytes of a blocking descriptor.
  public func writeAll(_ bytes: [UInt8]) throws(PlatformError) {
    // A byte has no padding, so every byte of the span is initialised.
    try unsafe writeAll(bytes.span.bytes)
  }

  /// Writes a string's UTF-8 to a blocking descriptor.
  public func writeAll(_ text: String) throws(PlatformError) {
    try writeAll(Array(text.utf8))
  }
}

/// A pipe's two ends, both closed on exec.
@frozen
public struct Pipe: ~Copyable {
  /// Where what was written comes out.
  public let reader: FileDescriptor
  /// Where it goes in.
  public let writer: FileDescriptor

  /// Makes a pipe of blocking ends.
  ///
  /// Wraps `pipe`.
  public init() throws(PlatformError) {
    var ends: [Int32] = [-1, -1]
    // The call fills exactly two integers.
    try check("pipe2", "pipe") { unsafe km_pipe(&ends) }
    reader = FileDescriptor(owning: ends[0])
    writer = FileDescriptor(owning: ends[1])
  }
}
