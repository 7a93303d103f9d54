import AudioCache
import Fetch
public import Platform
public import Recipes

/// Gets inputs that are URLs into the cache, for an event loop, which never waits for them.
///
/// However many ask for one URL, here and in other processes, it is downloaded once. All disk work that
/// takes long, and all waiting for other processes, is done on threads; these start with the first
/// download.
public final class Downloads {
  let loop: EventLoop
  let options: DownloadOptions
  private var threads: Threads?
  private var live: [ObjectIdentifier: InputDownload] = [:]

  private struct Threads {
    /// Asks for claims and keeps them.
    let desk: CacheThread
    /// Reads what came to its end: the time that takes must not let claims run out.
    let storeroom: CacheThread
  }

  /// Downloads for whoever runs `loop`, on its thread.
  public init(_ loop: EventLoop, _ options: DownloadOptions) {
    self.loop = loop
    self.options = options
  }

  /// Begins to get what a URL leads to.
  ///
  /// `report` is told how it goes on, and `completion`, once, how it ended: with the file, or with a
  /// `FetchError`, `AudioStoreError`, `PlatformError` or ``DownloadCancelled``. Neither is called before
  /// this returns.
  /// - Throws: `PlatformError` where a thread cannot be started.
  @discardableResult
  public func fetch(
    _ url: InputName, report: @escaping (DownloadNews) -> Void,
    then completion: @escaping (Result<DownloadedInput, any Error>) -> Void
  ) throws -> InputDownload {
    if threads == nil {
      threads = Threads(
        desk: try CacheThread(loop, cache: options.makeCache),
        storeroom: try CacheThread(loop, cache: options.makeCache))
    }
    let download = InputDownload(url, for: self, report: report, completion: completion)
    try download.look()
    live[ObjectIdentifier(download)] = download
    return download
  }

  /// Ends the threads, so that the cache knows what was used, and which claims were given back; to be
  /// called at the end.
  ///
  /// Waits for other processes that use the cache, not for files that are being read.
  public func close() {
    threads?.desk.finish()
    threads = nil
  }

  /// Prolongs what keeps files where they are, for other machines on the same cache.
  func keep(_ inputs: [DownloadedInput]) throws {
    guard !inputs.isEmpty else { return }
    // Where it cannot be written now it is the next time.
    try ask({ _ in for input in inputs { try input.lease.renew() } }, then: { _ in })
  }

  /// Lets an input stay in the cache, of which something was made.
  func accept(_ input: DownloadedInput) throws {
    // Where it cannot be written now, the next job on it does so, or it is downloaded again.
    try ask({ try $0.accept(input.track) }, then: { _ in })
  }

  /// Asks the cache for something that takes a moment.
  func ask<Value: Sendable>(
    _ body: @escaping @Sendable (TrackCache) throws -> Value,
    then completion: @escaping (Result<Value, any Error>) throws -> Void
  ) throws {
    try threads?.desk.perform(body, then: completion)
  }

  /// Has the cache do something that may take long.
  func store<Value: Sendable>(
    _ body: @escaping @Sendable (TrackCache) throws -> Value,
    then completion: @escaping (Result<Value, any Error>) throws -> Void
  ) throws {
    try threads?.storeroom.perform(body, then: completion)
  }

  /// Notes that a download is over.
  func remove(_ download: InputDownload) { live[ObjectIdentifier(download)] = nil }

  /// Tells those who wait for the same that it is over; `error` is what the server or the way there is
  /// to blame for.
  func wake(waitingFor origin: Origin, error: FetchError?) throws {
    for other in live.values where other.origin == origin { try other.wake(error) }
  }
}
