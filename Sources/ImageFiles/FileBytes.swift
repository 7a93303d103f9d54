internal import Glibc

/// A file open for reading at any place, which owns its descriptor.
struct FileBytes: ~Copyable {
  /// The length in bytes when the file was opened.
  let count: Int
  private let descriptor: Int32
  private let path: String

  /// Opens a regular file.
  ///
  /// - Throws: `unreadable` with the system's words.
  init(path: String) throws(ImageFileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.error(path) }
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0 else {
      let error = Self.error(path)
      close(descriptor)
      throw error
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ImageFileError(.unreadable, "not a regular file", path: path)
    }
    self.descriptor = descriptor
    self.path = path
    count = Int(facts.st_size)
  }

  deinit { close(descriptor) }

  /// The bytes from `offset` on, fewer than `count` where the file ends before.
  func read(at offset: Int, count: Int) throws(ImageFileError) -> [UInt8] {
    guard offset >= 0, offset < self.count, count > 0 else { return [] }
    let wanted = min(count, self.count - offset)
    var failed = false
    // Safe: each call writes at most the bytes that are left of the buffer.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while filled < wanted {
        let got = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, wanted - filled,
          off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        failed = got < 0
        if got <= 0 { break }
        filled += got
      }
    }
    if failed { throw Self.error(path) }
    return bytes
  }

  /// All bytes of a file.
  static func contents(ofFileAt path: String) throws(ImageFileError) -> [UInt8] {
    let file = try FileBytes(path: path)
    return try file.read(at: 0, count: file.count)
  }

  private static func error(_ path: String) -> ImageFileError {
    ImageFileError(.unreadable, unsafe String(cString: strerror(errno)), path: path)
  }
}
