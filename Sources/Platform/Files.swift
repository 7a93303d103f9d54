import CLinux
import Glibc

/// Operations on files by path.
///
/// Any name that a Swift string can hold works; none is interpreted.
public enum Files {
  /// The whole content of a file.
  ///
  /// Also for those of `/proc`, whose size is unknown.
  public static func read(_ path: String) throws(PlatformError) -> [UInt8] {
    let file = try FileDescriptor.open(path, .read)
    do throws(PlatformError) {
      return try file.readToEnd()
    } catch {
      throw PlatformError(code: error.code, call: error.call, subject: path)
    }
  }

  /// Gives a file or directory another name, replacing a file of that name in one step.
  ///
  /// Wraps `rename`.
  public static func rename(_ path: String, to target: String) throws(PlatformError) {
    try check("rename", target) { unsafe Glibc.rename(path, target) }
  }

  /// Gives it another name that is free; throws `exists` when it is not.
  ///
  /// Wraps `renameat2`.
  public static func renameNew(_ path: String, to target: String) throws(PlatformError) {
    try check("renameat2", target) { unsafe km_rename_new(path, target) }
  }

  /// Removes a file or a symbolic link; not an error when there is none.
  ///
  /// Wraps `unlink`.
  public static func removeFile(_ path: String) throws(PlatformError) {
    do throws(PlatformError) {
      try check("unlink", path) { unsafe unlink(path) }
    } catch {
      guard error.code == .notFound else { throw error }
    }
  }

  /// Makes a directory and those above it that are missing; not an error when it is there.
  public static func makeDirectory(
    _ path: String, permissions: UInt32 = 0o777
  ) throws(PlatformError) {
    do throws(PlatformError) {
      try makeUnlessThere(path, permissions: permissions)
    } catch {
      guard error.code == .notFound, parent(of: path) != path else { throw error }
      try makeDirectory(parent(of: path), permissions: permissions)
      // Once more and no more: /proc says "not found" to whoever makes a directory in it.
      try makeUnlessThere(path, permissions: permissions)
    }
  }

  private static func makeUnlessThere(
    _ path: String, permissions: UInt32
  ) throws(PlatformError) {
    do throws(PlatformError) {
      try makeNewDirectory(path, permissions: permissions)
    } catch {
      guard error.code == .exists, (try? FileStatus(path))?.kind == .directory else { throw error }
    }
  }

  /// Makes a directory that must not be there yet, in one that is.
  ///
  /// Wraps `mkdir`.
  public static func makeNewDirectory(
    _ path: String, permissions: UInt32 = 0o777
  ) throws(PlatformError) {
    try check("mkdir", path) { unsafe mkdir(path, mode_t(permissions)) }
  }

  /// Where a symbolic link leads, as it is written there.
  ///
  /// Wraps `readlink`.
  public static func linkTarget(_ path: String) throws(PlatformError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let capacity = buffer.count
    // The call writes at most `capacity` bytes and no null after them.
    let count = try check("readlink", path) { unsafe readlink(path, &buffer, capacity) }
    return String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes a file's data and size to the disk.
  ///
  /// Wraps `fsync`.
  public static func syncFile(_ path: String) throws(PlatformError) {
    try sync(path, .read)
  }

  /// Writes a directory's names to the disk, which makes renames in it last.
  ///
  /// Wraps `fsync`.
  public static func syncDirectory(_ path: String) throws(PlatformError) {
    try sync(path, .directory)
  }

  private static func sync(_ path: String, _ mode: FileDescriptor.Mode) throws(PlatformError) {
    let file = try FileDescriptor.open(path, mode)
    try check("fsync", path) { fsync(file.rawValue) }
  }

  /// The directory that a path's last part lies in: `.` for a bare name, `/` for the root.
  public static func parent(of path: String) -> String {
    let bytes = path.utf8
    guard let end = bytes.lastIndex(where: { $0 != UInt8(ascii: "/") }) else {
      return bytes.isEmpty ? "." : "/"
    }
    guard let slash = bytes[...end].lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let above = bytes[..<slash]
    guard let last = above.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return "/" }
    return String(above[...last]) ?? "/"
  }

  /// The last part of a path, without slashes: empty for the root.
  public static func name(of path: String) -> String {
    let bytes = path.utf8
    guard let end = bytes.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return "" }
    let start = bytes[...end].lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:))
    return String(bytes[(start ?? bytes.startIndex)...end]) ?? ""
  }
}

/// What the file system says about one name.
public struct FileStatus: Hashable, Sendable {
  /// What kind of thing has the name.
  public enum Kind: Hashable, Sendable {
    /// An ordinary file.
    case file
    /// A directory.
    case directory
    /// A symbolic link, where links are not followed.
    case symbolicLink
    /// A FIFO (named pipe).
    case fifo
    /// A device or socket.
    case other
  }

  /// What it is.
  public let kind: Kind
  /// Its length in bytes.
  public let size: Int64
  /// When its content last changed, in nanoseconds since 1970 UTC.
  public let modifiedNanoseconds: Int64
  /// The file system it is on.
  public let device: UInt64
  /// Its number on that file system.
  public let inode: UInt64
  /// How many names it has.
  public let linkCount: UInt64
  /// The permission bits.
  public let permissions: UInt32

  /// Asks about a path; about a link itself when `followingLinks` is false.
  ///
  /// Wraps `stat`.
  public init(_ path: String, followingLinks: Bool = true) throws(PlatformError) {
    var status = stat()
    // The call fills the structure and keeps no pointer to it.
    try check(followingLinks ? "stat" : "lstat", path) {
      followingLinks ? unsafe stat(path, &status) : unsafe lstat(path, &status)
    }
    self.init(status)
  }

  /// Asks about an open file.
  ///
  /// Wraps `fstat`.
  public init(descriptor: Int32) throws(PlatformError) {
    var status = stat()
    // The call fills the structure and keeps no pointer to it.
    try check("fstat", "descriptor \(descriptor)") { unsafe fstat(descriptor, &status) }
    self.init(status)
  }

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .fifo
      default: .other
      }
    size = Int64(status.st_size)
    modifiedNanoseconds =
      Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    linkCount = UInt64(status.st_nlink)
    permissions = UInt32(status.st_mode & 0o7777)
  }

  /// Whether two names lead to the same file.
  public func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}
