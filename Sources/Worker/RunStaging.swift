public import Platform

/// Where `keymill run` makes an output, and what dead ones left there.
///
/// The name of such a directory says whose it is, so that it can be removed once that process is dead.
public enum RunStaging {
  private static let prefix = ".keymill-run-"

  /// A new staging directory of this process beside an output.
  public static func path(for output: String) throws(PlatformError) -> String {
    // Colons are not for every file system.
    let owner = try ProcessIdentity.current.description.replacing(":", with: "_")
    let mark = String(UInt32.random(in: .min ... .max), radix: 36)
    return "\(Files.parent(of: output))/\(prefix)\(owner)_\(mark)"
  }

  /// Removes what processes that have died left beside an output.
  ///
  /// What cannot be removed stays; of a process in another container nobody knows here whether it is
  /// dead.
  public static func sweep(beside output: String) {
    let directory = Files.parent(of: output)
    for name in (try? Files.list(directory)) ?? [] where name.hasPrefix(prefix) {
      let parts = name.dropFirst(prefix.count).split(separator: "_")
      guard parts.count == 5,
        let owner = ProcessIdentity(parts.dropLast().joined(separator: ":")),
        (try? owner.isAlive) == false
      else { continue }
      try? Files.removeTree("\(directory)/\(name)")
    }
  }
}
