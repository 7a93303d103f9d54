import AudioCache
import Fetch
import Platform
public import Recipes

/// One URL on its way into the cache, for one who asked for it.
///
/// Either it is there and current, or it is downloaded here, or another process, or another one of
/// these, is at it and is waited for.
public final class InputDownload {
  /// What it is the download of.
  public let url: InputName
  /// Under which the cache has it: a password is no part of it.
  let origin: Origin
  let downloads: Downloads
  /// Who asked for it; nil once it is over.
  private var client: Client?
  /// How far it has come.
  var phase = Phase.asking
  /// What prolongs the claim.
  var heartbeat: EventLoop.Timer?

  private struct Client {
    let report: (DownloadNews) -> Void
    let completion: (Result<DownloadedInput, any Error>) -> Void
  }

  enum Phase {
    /// The cache is asked what there is.
    case asking
    /// Another one is at it; the timer looks again.
    case waiting(EventLoop.Timer)
    /// The process is at it.
    case fetching(FetchProcess, Halt?)
    /// All of it is there, and is put into the cache.
    case storing
    /// It is over.
    case over
  }

  /// Why a fetch process is ended before it is done.
  enum Halt {
    /// Nobody wants it any more.
    case cancelled
    /// Another process has the claim now.
    case claimLost
    /// The disk has no room for what is to come.
    case noRoom
  }

  init(
    _ url: InputName, for downloads: Downloads, report: @escaping (DownloadNews) -> Void,
    completion: @escaping (Result<DownloadedInput, any Error>) -> Void
  ) {
    self.url = url
    origin = .url(url.shown)
    self.downloads = downloads
    client = Client(report: report, completion: completion)
  }

  /// Calls the download off; what came is kept for whoever asks next.
  ///
  /// The completion is called, maybe at once, with ``DownloadCancelled``.
  public func cancel() {
    switch phase {
    case .fetching(let fetch, nil):
      phase = .fetching(fetch, .cancelled)
      // What came is in the file: there is nothing to be said or saved.
      fetch.process.send(.kill)
    case .waiting(let timer):
      downloads.loop.cancel(timer)
      end(.failure(DownloadCancelled(url: url.shown)))
    case .asking, .storing: end(.failure(DownloadCancelled(url: url.shown)))
    case .fetching, .over: break
    }
  }

  /// Ends the fetch process, if there is one, and waits for that; the completion is not called.
  func abandon() {
    guard case .fetching(let fetch, _) = phase else { return }
    phase = .over
    client = nil
    stopHeartbeat()
    stopListening(to: fetch)
    fetch.process.send(.kill)
    _ = try? fetch.process.wait()
  }

  /// Calls the completion: it is over.
  func end(_ result: Result<DownloadedInput, any Error>) {
    phase = .over
    stopHeartbeat()
    downloads.remove(self)
    let client = client
    self.client = nil
    client?.completion(result)
  }

  /// Tells how it goes on.
  func report(_ news: DownloadNews) { client?.report(news) }
}

// MARK: - What there is

extension InputDownload {
  /// What is to be done for a URL.
  private enum Standing: Sendable {
    case here(DownloadedInput)
    case mine(DownloadClaim)
    case other(Download)
    /// It was there, and was removed before it could be leased.
    case gone

    init(of origin: Origin, _ options: DownloadOptions, in cache: TrackCache) throws {
      self =
        switch try cache.claim(
          origin, maxAge: options.maxAge, includingPrivate: options.allowsPrivate)
        {
        case .present(let track): try DownloadedInput(track, in: cache).map(Self.here) ?? .gone
        case .mine(let claim): .mine(claim)
        case .other(let download): .other(download)
        }
    }
  }

  /// Asks the cache what there is, and goes on from there.
  func look() throws {
    phase = .asking
    let (origin, options) = (origin, downloads.options)
    try downloads.ask({ try Standing(of: origin, options, in: $0) }) { [self] in
      try take($0)
    }
  }

  private func take(_ standing: Result<Standing, any Error>) throws {
    guard case .asking = phase else {
      // Called off meanwhile.
      if case .success(.mine(let claim)) = standing { try release(claim, "called off") }
      return
    }
    switch standing {
    case .success(.here(let input)): end(.success(input))
    case .success(.mine(let claim)): try fetch(claim)
    case .success(.gone): try look()
    case .success(.other(let download)):
      report(.progress(received: download.received, total: download.expected))
      // It was called off by whom was told.
      guard case .asking = phase else { return }
      phase = .waiting(
        downloads.loop.schedule(after: downloads.options.pause) { [self] in try look() })
    case .failure(let error): end(.failure(error))
    }
  }

  /// Another one that was at the same is done with it.
  func wake(_ error: FetchError?) throws {
    guard case .waiting(let timer) = phase else { return }
    downloads.loop.cancel(timer)
    if let error { end(.failure(error)) } else { try look() }
  }
}
