import Platform
import SQLite

/// The write lock of a queue in the hands of a stranger, as another program might take it.
final class QueueLock {
  private let connection: Connection

  /// Takes the lock.
  init(_ path: String) throws {
    connection = try Connection(path: path, mode: .create, busyTimeout: .seconds(10))
    try connection.execute("BEGIN IMMEDIATE")
  }

  /// Keeps the lock for so long, then lets it go.
  func release(after delay: Duration) throws {
    let loop = try EventLoop()
    loop.schedule(after: delay) { loop.stop() }
    try loop.run()
    try connection.execute("ROLLBACK")
  }
}
