import Digests
import Glibc
import Platform
import SQLite

/// Finds the place of a store's index.
///
/// SQLite needs one kernel that sees all users of a file. So the index lies beside the tracks where
/// that is a local file system that may be written to; else each machine has one of its own, in the
/// user's cache directory or, where that is on a network too, in `/var/tmp`. What one machine's index
/// does not know is there for it all the same: the files are the truth.
enum IndexPlace {
  /// The path of the index for the store at `root`, an existing directory; makes the directory of it.
  static func path(
    forStore root: String, environment: [String: String] = Environment.current
  ) throws(AudioStoreError) -> String {
    if isLocal(root), unsafe access(root, W_OK) == 0 { return root + "/index.db" }
    return try ownPath(forStore: root, environment: environment)
  }

  /// The path of this machine's own index for a store that cannot hold one.
  static func ownPath(
    forStore root: String, environment: [String: String]
  ) throws(AudioStoreError) -> String {
    let absolute = try system { () throws(PlatformError) in try Files.absolutePath(root) }
    // With the machine, for a home directory that several of them see.
    let key = SHA256Digest(of: "\(Host.name) \(absolute)").hex.prefix(32)
    let candidates = [
      BaseDirectories(environment: environment).cacheHome + "/keymill/index",
      "/var/tmp/keymill-\(getuid())",
    ]
    for directory in candidates where makePrivate(directory) && isLocal(directory) {
      return "\(directory)/\(key).db"
    }
    throw .system(
      PlatformError(
        code: .readOnlyFileSystem, call: "mkdir", subject: candidates.joined(separator: ", ")))
  }

  private static func isLocal(_ directory: String) -> Bool {
    Connection.networkFileSystem(holding: directory) == nil
  }

  /// Whether the directory is there, or was made, and is this user's alone to write to.
  private static func makePrivate(_ directory: String) -> Bool {
    guard (try? Files.makeDirectory(directory, permissions: 0o700)) != nil,
      let status = try? FileStatus(directory, followingLinks: false), status.kind == .directory
    else { return false }
    guard status.permissions & 0o022 == 0 else { return false }
    return unsafe access(directory, W_OK) == 0
  }
}
