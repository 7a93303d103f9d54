import Glibc

/// Writes files that are whole at every moment: readers see the old content or the new.
public enum AtomicFile {
  /// Writes `bytes` to a hidden file beside `path`, syncs it, and renames it into place.
  ///
  /// A symbolic link at `path` is replaced, not followed. When anything fails the old content stays
  /// and the hidden file is removed. Afterwards it lasts through a loss of power.
  public static func write(
    _ bytes: RawSpan, to path: String, permissions: UInt32 = 0o666
  ) throws(PlatformError) {
    let temporary = Files.temporaryName(beside: path)
    do throws(PlatformError) {
      let file = try FileDescriptor.open(temporary, .create, permissions: permissions)
      try file.writeAll(bytes)
      try check("fsync", path) { fsync(file.rawValue) }
      try file.close()
      try Files.rename(temporary, to: path)
    } catch {
      _ = unsafe unlink(temporary)
      throw PlatformError(code: error.code, call: error.call, subject: path)
    }
    try Files.syncDirectory(Files.parent(of: path))
  }

  /// Writes an array's bytes; see `write(_:to:permissions:)` for a span.
  public static func write(
    _ bytes: [UInt8], to path: String, permissions: UInt32 = 0o666
  ) throws(PlatformError) {
    // A byte has no padding, so every byte of the span is initialised.
    try unsafe write(bytes.span.bytes, to: path, permissions: permissions)
  }

  /// Writes a string's UTF-8; see `write(_:to:permissions:)` for a span.
  public static func write(
    _ text: String, to path: String, permissions: UInt32 = 0o666
  ) throws(PlatformError) {
    try write(Array(text.utf8), to: path, permissions: permissions)
  }
}
