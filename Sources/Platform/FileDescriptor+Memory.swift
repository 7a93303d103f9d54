import CLinux
import Glibc

extension FileDescriptor {
  /// A file that is only in memory, holds `bytes`, and is read from its start.
  ///
  /// For a document that another process gets as its standard input: of any length, and without
  /// anybody waiting for it to be read. Wraps `memfd_create`.
  public static func holding(_ bytes: [UInt8]) throws(PlatformError) -> FileDescriptor {
    let file = FileDescriptor(
      owning: try check("memfd_create", "document") { unsafe km_memory_file("keymill") })
    try file.writeAll(bytes)
    try check("lseek", "document") { lseek(file.rawValue, 0, SEEK_SET) }
    return file
  }
}
