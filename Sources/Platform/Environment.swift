import CLinux
import Glibc

/// The environment variables of this process.
public enum Environment {
  /// All variables.
  ///
  /// Read at the time of the call; the first of equal names counts.
  public static var current: [String: String] {
    var variables: [String: String] = [:]
    // The C library's array ends with a null, and nothing in keymill changes it.
    guard var entry = unsafe km_environment() else { return [:] }
    while let text = unsafe entry.pointee {
      let pair = unsafe String(cString: text)
      if let equals = pair.firstIndex(of: "=") {
        let name = String(pair[..<equals])
        variables[name] = variables[name] ?? String(pair[pair.index(after: equals)...])
      }
      unsafe entry += 1
    }
    return variables
  }
}

/// The directories where a user's programs keep their files.
///
/// XDG Base Directory Specification 0.8: a variable that is empty or not absolute is ignored.
public struct BaseDirectories: Hashable, Sendable {
  /// State that outlives a run, such as the queue: `$XDG_STATE_HOME` or `~/.local/state`.
  public let stateHome: String
  /// What can be made again: `$XDG_CACHE_HOME` or `~/.cache`.
  public let cacheHome: String
  /// Settings: `$XDG_CONFIG_HOME` or `~/.config`.
  public let configHome: String

  /// Finds the directories from an environment; none of them need exist.
  public init(environment: [String: String] = Environment.current) {
    func directory(_ variable: String, _ fallback: String) -> String {
      if let path = environment[variable], path.hasPrefix("/") { return path }
      let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? accountHome
      return home + "/" + fallback
    }
    stateHome = directory("XDG_STATE_HOME", ".local/state")
    cacheHome = directory("XDG_CACHE_HOME", ".cache")
    configHome = directory("XDG_CONFIG_HOME", ".config")
  }
}

/// The home directory by the user database; the root directory for a user it does not know.
private var accountHome: String {
  var entry = unsafe passwd()
  var buffer = [CChar](repeating: 0, count: 16_384)
  return unsafe buffer.withUnsafeMutableBufferPointer { space in
    // `found` points to `entry` and its strings into `space`; both outlive the copy made here.
    var found: UnsafeMutablePointer<passwd>?
    guard let base = space.baseAddress,
      unsafe getpwuid_r(getuid(), &entry, base, space.count, &found) == 0,
      let home = unsafe found?.pointee.pw_dir
    else { return "/" }
    return unsafe String(cString: home)
  }
}
