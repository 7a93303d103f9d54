import AudioCache
import Digests
import Platform

/// Puts the tracks that jobs have copied into the audio cache, for an event loop, which never stands
/// still while they are read, or while other processes are at the cache's index: a track may have
/// gigabytes.
///
/// The thread that it takes starts with the first call.
final class TrackKeeper {
  private let loop: EventLoop
  private let makeCache: (@Sendable () -> TrackCache)?
  private var thread: CacheThread?

  /// Puts tracks into `cache`, or nowhere, for whoever runs `loop`, on its thread.
  init(_ loop: EventLoop, cache: TrackCache?) {
    self.loop = loop
    makeCache = cache?.another
  }

  /// Whether there is anything to do for a result.
  func wants(_ result: JobResult) -> Bool { makeCache != nil && !result.tracks.isEmpty }

  /// Begins to put a result's tracks into the cache, and then calls `completion` in the loop with what
  /// went wrong, for the log; see ``Publisher/keepTracks(of:from:in:isOwn:)``.
  /// - Throws: `PlatformError` where the thread cannot be started.
  func keep(
    _ result: JobResult, from input: SHA256Digest?, in staging: String,
    then completion: @escaping (String?) -> Void
  ) throws {
    try perform(
      { publisher in publisher.keepTracks(of: result, from: input, in: staging) },
      then: completion)
  }

  /// Begins to remove what processes that have died left in the cache, and then calls `completion` in
  /// the loop with what went wrong; see ``Publisher/sweepCache()``.
  /// - Throws: `PlatformError` where the thread cannot be started.
  func sweep(then completion: @escaping (String?) -> Void) throws {
    try perform({ publisher in publisher.sweepCache() }, then: completion)
  }

  private func perform(
    _ body: @escaping @Sendable (Publisher) -> String?,
    then completion: @escaping (String?) -> Void
  ) throws {
    guard let makeCache else {
      // Not before this returns, as with a cache.
      loop.schedule(after: .zero) { completion(nil) }
      return
    }
    let thread = try thread ?? CacheThread(loop, cache: makeCache)
    self.thread = thread
    try thread.perform({ cache in body(Publisher(cache: cache)) }) { outcome in
      switch outcome {
      case .success(let trouble): completion(trouble)
      case .failure(let error): completion("\(error)")
      }
    }
  }
}
