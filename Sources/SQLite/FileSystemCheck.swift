internal import CSQLite

extension Connection {
  /// Finds out whether `path` lies where SQLite does not work.
  ///
  /// Locks and the shared memory of write-ahead logging need one kernel that sees all users of the
  /// file. FUSE counts as a network file system: nothing tells sshfs from a local one.
  ///
  /// - Parameter path: an existing file or directory.
  /// - Returns: the name of the network file system, or nil for a local one or a missing path.
  public static func networkFileSystem(holding path: String) -> String? {
    networkFileSystems[unsafe km_file_system_type(path)]
  }

  /// Magic numbers of statfs(2), and of `linux/magic.h` for those that it leaves out.
  private static let networkFileSystems: [Int64: String] = [
    0x6969: "NFS",
    0x517B: "SMB",
    0xFF53_4D42: "CIFS",
    0xFE53_4D42: "SMB2",
    0x6573_5546: "FUSE",
    0x0102_1997: "9P",
    0x5346_414F: "AFS",
    0x7375_7245: "Coda",
    0x00C3_6400: "Ceph",
    0x0BD0_0BD0: "Lustre",
    0x4750_4653: "GPFS",
    0x564C: "NCP",
  ]
}
