import Glibc

extension Files {
  /// Sets a file's permission bits, whatever the umask.
  ///
  /// Follows links. Wraps `chmod`.
  public static func setPermissions(
    _ path: String, _ permissions: UInt32
  ) throws(PlatformError) {
    try check("chmod", path) { unsafe chmod(path, mode_t(permissions)) }
  }
}
