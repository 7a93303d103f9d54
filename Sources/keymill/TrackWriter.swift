import AudioCache
import Glibc
import Platform
import Synchronization

/// Writes a track out while it is being downloaded.
///
/// On a thread of its own: whoever reads it, such as a player that was paused, may keep it waiting for
/// longer than the download can be left alone.
final class TrackWriter {
  private let origin: Origin
  private let root: String
  private let target: TrackTarget
  private let includesPrivate: Bool
  private let outcome = Outcome()
  private let ending: Pipe
  private var isStarted = false

  /// How often to look for more of a download, of which another process, perhaps on another machine, tells
  /// nobody that it has grown.
  private static let pauseMicroseconds: UInt32 = 50_000

  /// How it ended.
  private final class Outcome: Sendable {
    let result = Mutex<Result<CachedTrack, any Error>?>(nil)
  }

  /// Will write the track of an origin, in the store at `root`, to `target`.
  ///
  /// This process also asks for the download: where another one gives it up it goes on here. Unless
  /// `includingPrivate`, what may come from a host that is not public is not written.
  init(
    _ origin: Origin, ofStoreAt root: String, to target: TrackTarget, includingPrivate: Bool
  ) throws {
    includesPrivate = includingPrivate
    self.origin = origin
    self.root = root
    self.target = target
    ending = try Pipe()
  }

  /// Begins to write, the first time it is called; the track or its download has to be there.
  func start() throws {
    guard !isStarted else { return }
    let ending = try ending.writer.duplicate().release()
    try WorkerThread { [origin, root, target, includesPrivate, outcome] in
      let ending = FileDescriptor(owning: ending)
      let result = Result {
        let follower = TrackFollower(
          origin, in: TrackCache(root: root), awaitingSuccessor: true,
          includingPrivate: includesPrivate)
        return try Self.write(follower, to: target)
      }
      outcome.result.withLock { $0 = result }
      try? ending.writeAll([0])
    }.detach()
    isStarted = true
  }

  /// Calls `body` in a loop once it cannot write any more.
  func whenItFails(in loop: EventLoop, _ body: @escaping () -> Void) throws {
    try loop.add(ending.reader.rawValue) { [unowned self] _ in
      loop.remove(ending.reader.rawValue)
      if failure != nil { body() }
    }
  }

  /// Why it cannot write any more; nil as long as it can.
  var failure: (any Error)? {
    if case .failure(let error) = outcome.result.withLock({ $0 }) { error } else { nil }
  }

  /// Waits until all is written.
  /// - Returns: What was.
  /// - Throws: `AudioStoreError` where it did not come whole, `TargetError` or `ReaderGone` where nobody
  ///   takes it.
  func finish() throws -> CachedTrack {
    try start()
    if let result = outcome.result.withLock({ $0 }) { return try result.get() }
    _ = try ending.reader.read()
    guard let result = outcome.result.withLock({ $0 }) else {
      throw AudioStoreError.downloadFailed(origin, reason: "it could not be written out")
    }
    return try result.get()
  }

  /// Removes a file of which only a part was written; nobody waits for the rest.
  func discard() { target.discard() }

  /// Writes it all, or leaves no torn file.
  private static func write(
    _ follower: consuming TrackFollower, to target: TrackTarget
  ) throws -> CachedTrack {
    do {
      let track = try follow(follower, to: target)
      try target.finish()
      return track
    } catch {
      target.discard()
      throw error
    }
  }

  private static func follow(
    _ follower: consuming TrackFollower, to target: TrackTarget
  ) throws -> CachedTrack {
    while true {
      switch try follower.next() {
      case .bytes(let some): try target.write(some)
      case .waiting: usleep(pauseMicroseconds)
      case .end(let track): return track
      }
    }
  }
}
