import CLinux
import Glibc

extension Files {
  /// Bytes that an ordinary user may still write on the file system of an existing path.
  public static func freeSpace(_ path: String) throws(PlatformError) -> UInt64 {
    try fileSystem(path).available_bytes
  }

  /// Whether an existing path is on a network file system, where locks and renames cannot be relied
  /// on.
  ///
  /// FUSE counts: what is behind it cannot be known.
  public static func isNetworkFileSystem(_ path: String) throws(PlatformError) -> Bool {
    try networkFileSystem(path) != nil
  }

  /// The name of the network file system that an existing path is on; `nil` for a local one.
  public static func networkFileSystem(_ path: String) throws(PlatformError) -> String? {
    networkFileSystems[try fileSystem(path).kind]
  }

  private static func fileSystem(_ path: String) throws(PlatformError) -> km_filesystem {
    var status = km_filesystem()
    // The call fills the structure and keeps no pointer to it.
    try check("statfs", path) { unsafe km_filesystem_of(path, &status) }
    return status
  }

  /// Magic numbers of statfs(2) and the kernel's `linux/magic.h`.
  private static let networkFileSystems: [Int64: String] = [
    0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB2", 0x5346_414F: "AFS",
    0x6B41_4653: "AFS", 0x00C3_6400: "Ceph", 0x0102_1997: "9P", 0x7375_7245: "Coda",
    0x564C: "NCP", 0x0BD0_0BD0: "Lustre", 0x6573_5546: "FUSE", 0x7461_636F: "OCFS2",
    0x0116_1970: "GFS2", 0x1983_0326: "BeeGFS", 0x4750_4653: "GPFS",
  ]
}
