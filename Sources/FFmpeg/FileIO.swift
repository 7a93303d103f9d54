internal import CFFmpeg
internal import Glibc

/// An open file of FFmpeg's I/O layer, reached through the `file:` protocol and no other, so that
/// a name with `:`, `%` or a leading dash is a name and nothing else.
@safe final class FileIO {
  // Owned; null only after `close`, and then nothing uses it any more.
  private var owned: UnsafeMutablePointer<AVIOContext>?
  let pointer: UnsafeMutablePointer<AVIOContext>
  private let path: String

  /// Opens a regular file that has bytes.
  convenience init(reading path: String) throws(FFmpegError) {
    guard try Self.size(ofRegularFile: path) > 0 else {
      throw FFmpegError(code: .emptyFile, call: "stat", subject: path)
    }
    try self.init(path, flags: AVIO_FLAG_READ)
  }

  /// Creates a file, or empties an existing one.
  convenience init(writing path: String) throws(FFmpegError) {
    try self.init(path, flags: AVIO_FLAG_WRITE)
  }

  private init(_ path: String, flags: Int32) throws(FFmpegError) {
    self.path = path
    unsafe owned = nil
    var options = StringDictionary(["protocol_whitelist": "file"])
    var opened: UnsafeMutablePointer<AVIOContext>?
    let result = unsafe options.lend { options in
      unsafe avio_open2(&opened, Self.url(path), flags, nil, options)
    }
    try check(result, "avio_open2", path)
    guard let opened = unsafe opened else { throw outOfMemory("avio_open2") }
    unsafe pointer = opened
    unsafe owned = opened
  }

  deinit {
    unsafe avio_closep(&owned)
  }

  /// The first bytes of a file, up to `count`.
  static func head(of path: String, count: Int) throws(FFmpegError) -> [UInt8] {
    let io = try FileIO(reading: path)
    var bytes = [UInt8](repeating: 0, count: count)
    let read = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe avio_read(io.pointer, buffer.baseAddress, Int32(clamping: buffer.count))
    }
    try check(read, "avio_read", path)
    return Array(bytes.prefix(Int(read)))
  }

  /// Writes what is buffered and closes; errors of earlier writes surface here.
  func close() throws(FFmpegError) {
    unsafe try check(avio_closep(&owned), "avio_closep", path)
  }

  static func url(_ path: String) -> String { "file:" + path }

  /// The size in bytes.
  ///
  /// A directory, a pipe or a device is an error: reading it may never end.
  static func size(ofRegularFile path: String) throws(FFmpegError) -> Int64 {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw FFmpegError(code: .init(rawValue: -errno), call: "stat", subject: path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int64(status.st_size)
    case S_IFDIR: throw FFmpegError(code: .isDirectory, call: "stat", subject: path)
    default: throw FFmpegError(code: .notRegularFile, call: "stat", subject: path)
    }
  }
}
