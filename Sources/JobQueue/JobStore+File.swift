internal import Glibc
internal import SQLite

extension JobStore {
  /// Checks that the queue file is still there, the same, and readable; cheap enough for once a second.
  ///
  /// A reader would not notice: it goes on with what it has in memory, in a file without a name.
  /// - Throws: `moved`, `corrupt` or `notAQueue`.
  public func checkFile() throws {
    try read {
      try refuseMoved()
      let facts = fileFacts()
      // Not even the header: SQLite itself never leaves a queue that short.
      if let facts, facts.size < 512 {
        throw QueueError(
          .corrupt,
          "\(path): the queue file was cut off while in use (\(facts.size) bytes are left); "
            + "stop what did it, and restore a backup or move the file away to begin anew")
      }
      guard facts != seenFile else { return }
      defer { seenFile = facts }
      // The header has to come from the disk; the rest is looked at when it is needed.
      if seenFile != nil { try connection.execute("PRAGMA shrink_memory; PRAGMA user_version") }
    }
  }

  func refuseMoved() throws {
    guard connection.hasMoved else { return }
    throw QueueError(
      .moved,
      "\(path): the queue file was moved, deleted or replaced while in use; start again on the one "
        + "that is there now")
  }

  /// By name: opening the file a second time and closing it would drop this process's locks on it.
  private func fileFacts() -> FileFacts? {
    var facts = stat()
    // The call fills the structure and keeps no pointer.
    guard unsafe stat(path, &facts) == 0 else { return nil }
    return FileFacts(
      size: Int64(facts.st_size), seconds: Int64(facts.st_mtim.tv_sec),
      nanoseconds: Int64(facts.st_mtim.tv_nsec))
  }
}

/// What tells that something was written to a file.
struct FileFacts: Equatable {
  let size: Int64
  let seconds: Int64
  let nanoseconds: Int64
}
