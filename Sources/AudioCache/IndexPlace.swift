import Digests
import Glibc
import Platform
import SQLite

/// Finds the place of a store's index.
///
/// SQLite needs one kernel that sees all users of a file. So the index lies beside the tracks where
/// that is a local file system that may be written to; else each machine has one of its own, in the
/// user's cache directory or, where that is on a network too, in `/var/tmp`. What one machine's index
/// does not know is there for it all the same: the files are the truth. Of a store that may only be read
/// the index that lies beside the tracks is asked as well.
enum IndexPlace {
  /// The path of the index for the store at `root`, an existing directory; makes the directory of it.
  static func path(
    forStore root: String, environment: [String: String] = Environment.current
  ) throws(AudioStoreError) -> String {
    if isLocal(root), !AudioStore(root: root).isReadOnly { return root + "/index.db" }
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

  /// The index that lies beside the tracks of a store that may only be read, and whose user has another,
  /// at `path`; nil where there is none, or no kernel sees all who use it.
  static func elder(ofStore root: String, besides path: String) -> String? {
    let elder = root + "/index.db"
    guard path != elder, isLocal(root), (try? FileStatus(elder))?.kind == .file else { return nil }
    return elder
  }

  /// Removes the machine's own indexes that nobody has used for long, all but the one at `path`: the
  /// stores that they were of may be gone, which their names do not tell.
  ///
  /// Whoever comes back makes a new one, from the files.
  static func removeStale(besides path: String, nowMS: Int64) {
    let directory = Files.parent(of: path)
    guard Files.name(of: directory) == "index" || directory.hasPrefix("/var/tmp/keymill-") else {
      return
    }
    for name in (try? Files.list(directory)) ?? [] where name.hasSuffix(".db") {
      let index = directory + "/" + name
      let files = [index, index + "-wal"].compactMap { try? FileStatus($0).modifiedNanoseconds }
      guard index != path, let last = files.max(), nowMS - last / 1_000_000 > staleMS else {
        continue
      }
      for ending in ["-wal", "-shm", ""] { try? Files.removeFile(index + ending) }
    }
  }

  /// After how long without use an index is stale, in milliseconds: a quarter of a year.
  private static let staleMS: Int64 = 90 * 86_400_000

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
