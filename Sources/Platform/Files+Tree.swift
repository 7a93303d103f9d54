import CLinux
import Glibc

extension Files {
  /// Removes a file, a link, or a directory with all in it; not an error when there is none.
  ///
  /// Never follows a symbolic link, not even one put in place of a directory meanwhile, and works on
  /// names of any bytes. Stops at the first thing that cannot be removed.
  public static func removeTree(_ path: String) throws(PlatformError) {
    // The pointer is used only while `withCString` lends it.
    try unsafe removeEntry(path, in: AT_FDCWD, path: path)
  }

  private static func removeEntry(
    _ name: UnsafePointer<CChar>, in directory: Int32, path: @autoclosure () -> String
  ) throws(PlatformError) {
    do throws(PlatformError) {
      try check("unlinkat", path()) { unsafe unlinkat(directory, name, 0) }
      return
    } catch {
      if error.code == .notFound { return }
      // EISDIR by Linux, EPERM by POSIX.
      guard error.code == .isDirectory || error.code == .notPermitted else { throw error }
    }
    try unsafe removeDirectory(name, in: directory, path: path())
  }

  private static func removeDirectory(
    _ name: UnsafePointer<CChar>, in directory: Int32, path: String
  ) throws(PlatformError) {
    let handle = try check("openat", path) {
      unsafe openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    // `fdopendir` takes the descriptor over; `closedir` closes both.
    guard let stream = unsafe fdopendir(handle) else {
      let code = ErrorCode(rawValue: errno)
      _ = close(handle)
      throw PlatformError(code: code, call: "fdopendir", subject: path)
    }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      try unsafe removeChild(entry, in: handle, path: path)
    }
    try check("unlinkat", path) { unsafe unlinkat(directory, name, AT_REMOVEDIR) }
  }

  private static func removeChild(
    _ entry: UnsafeMutablePointer<dirent>, in directory: Int32, path: String
  ) throws(PlatformError) {
    // `d_name` is a null-terminated string inside the entry, valid until the next `readdir`.
    let name = unsafe nameOf(entry)
    guard unsafe strcmp(name, ".") != 0, unsafe strcmp(name, "..") != 0 else { return }
    try unsafe removeEntry(name, in: directory, path: path + "/" + String(cString: name))
  }

  /// The names in a directory but `.` and `..`, in no order; those that are not UTF-8 are repaired.
  public static func list(_ path: String) throws(PlatformError) -> [String] {
    guard let stream = unsafe opendir(path) else {
      throw PlatformError(code: ErrorCode(rawValue: errno), call: "opendir", subject: path)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe String(cString: nameOf(entry))
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func nameOf(_ entry: UnsafeMutablePointer<dirent>) -> UnsafePointer<CChar> {
    guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else {
      preconditionFailure("dirent has a name")
    }
    return unsafe UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
  }
}
