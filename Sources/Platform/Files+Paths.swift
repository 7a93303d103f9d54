import CLinux
import Glibc

extension Files {
  /// The path from the root, without `.` and `..`; symbolic links are left as they are named.
  ///
  /// Works for names that do not exist. Wraps `getcwd` for relative paths.
  public static func absolutePath(_ path: String) throws(PlatformError) -> String {
    var parts: [Substring] = []
    let full = path.hasPrefix("/") ? path : try currentDirectory() + "/" + path
    for part in full.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// A path's last part without its extension: what is made of a file is named after it.
  public static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), name[..<dot].contains(where: { $0 != "." }) else {
      // A hidden name has no extension, and `.` and `..` have neither.
      return name
    }
    return String(name[..<dot])
  }

  /// Writes all that is pending on the file system of an existing path to the disk.
  ///
  /// One call for any number of files. Wraps `syncfs`; blocks until the disk has it all.
  public static func syncFileSystem(containing path: String) throws(PlatformError) {
    let directory = try FileDescriptor.open(path, .directory)
    try check("syncfs", path) { km_sync_filesystem(directory.rawValue) }
  }

  private static func currentDirectory() throws(PlatformError) -> String {
    // With null, glibc allocates as much as the path needs; it is freed below.
    guard let text = unsafe getcwd(nil, 0) else {
      throw PlatformError(code: ErrorCode(rawValue: errno), call: "getcwd", subject: ".")
    }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
