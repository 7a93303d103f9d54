import Platform

extension TrackCache {
  /// What a file was at `path` before it was opened; nil where there was none.
  static func standing(at path: String) -> FileStatus? {
    try? FileStatus(path, followingLinks: false)
  }

  /// Puts a damaged index aside, to `path` with `.damaged` behind it, so that a new one can be made.
  ///
  /// Nothing where the file at `path` is not `found` any more: another process was here first.
  static func setAside(_ path: String, found: FileStatus?) throws(AudioStoreError) {
    guard let found, let now = standing(at: path), now.isSameFile(as: found) else { return }
    try system { () throws(PlatformError) in
      // The log first: it must not be taken for that of the new file.
      for ending in ["-wal", "-shm"] { try Files.removeFile(path + ending) }
      try Files.rename(path, to: path + ".damaged")
    }
  }
}
