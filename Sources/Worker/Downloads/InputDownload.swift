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
  private let downloads: Downloads
  /// Who asked for it; nil once it is over.
  private var client: Client?
  private var phase = Phase.asking
  private var heartbeat: EventLoop.Timer?
  private var total: Int64?

  private struct Client {
    let report: (DownloadNews) -> Void
    let completion: (Result<DownloadedInput, any Error>) -> Void
  }

  private enum Phase {
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
  private enum Halt {
    /// Nobody wants it any more.
    case cancelled
    /// Another process has the claim now.
    case claimLost
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

  private func end(_ result: Result<DownloadedInput, any Error>) {
    phase = .over
    stopHeartbeat()
    downloads.remove(self)
    let client = client
    self.client = nil
    client?.completion(result)
  }

  private func report(_ news: DownloadNews) { client?.report(news) }
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

    init(of origin: Origin, maxAge: Duration?, in cache: TrackCache) throws {
      self =
        switch try cache.claim(origin, maxAge: maxAge) {
        case .present(let track): try DownloadedInput(track, in: cache).map(Self.here) ?? .gone
        case .mine(let claim): .mine(claim)
        case .other(let download): .other(download)
        }
    }
  }

  /// Asks the cache what there is, and goes on from there.
  func look() throws {
    phase = .asking
    let (origin, maxAge) = (origin, downloads.options.maxAge)
    try downloads.ask({ try Standing(of: origin, maxAge: maxAge, in: $0) }) { [self] in
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

// MARK: - The fetch process

extension InputDownload {
  /// Starts the download that a claim is the right to; `asksIfCurrent`: unless what is there still is.
  private func fetch(_ claim: DownloadClaim, asksIfCurrent: Bool = true) throws {
    let fetch: FetchProcess
    do {
      fetch = try FetchProcess(
        request(claim, asksIfCurrent: asksIfCurrent), command: downloads.options.command)
    } catch {
      try release(claim, "\(error)")
      return end(.failure(error))
    }
    phase = .fetching(fetch, nil)
    try downloads.loop.add(fetch.descriptor) { [self] _ in
      guard let events = try fetch.read() else { return downloads.loop.remove(fetch.descriptor) }
      for event in events { try take(event, claim) }
    }
    try downloads.loop.add(fetch.process.descriptor) { [self] _ in
      guard let exit = try fetch.process.reap() else { return }
      stopListening(to: fetch)
      // Nobody is left to write: what is there comes at once, and then the end.
      while let events = try fetch.read() { for event in events { try take(event, claim) } }
      try conclude(fetch, exit, claim)
    }
    if heartbeat == nil {
      heartbeat = downloads.loop.schedule(every: claim.lease / 3) { [self] in
        try renew(claim) { try $0.renew(claim) }
      }
    }
    report(.progress(received: claim.resumeOffset, total: nil))
  }

  private func request(_ claim: DownloadClaim, asksIfCurrent: Bool) -> FetchRequest {
    var request = FetchRequest(url: url.text, path: claim.partialPath)
    request.allowsPrivate = downloads.options.allowsPrivate
    request.limits = downloads.options.limits
    if claim.resumeOffset > 0 { request.resumeValidators = HTTPValidators(claim.resumeValidators) }
    if asksIfCurrent, let previous = claim.previous {
      request.validators = HTTPValidators(previous.validators)
    }
    return request
  }

  private func take(_ event: FetchEvent, _ claim: DownloadClaim) throws {
    switch event {
    case .began(let offset, let total, let validators):
      self.total = total
      report(.progress(received: offset, total: total))
      let known = Validators(validators)
      try renew(claim) { try $0.renew(claim, expectedSize: total, validators: known) }
    case .progress(let received, let total): report(.progress(received: received, total: total))
    case .retrying(_, let seconds, _): report(.pausing(.seconds(min(max(0, seconds), 3600))))
    case .stalled, .finished, .unchanged, .failed: break
    }
  }

  private func renew(
    _ claim: DownloadClaim, _ body: @escaping @Sendable (TrackCache) throws -> Void
  ) throws {
    try downloads.ask(body) { [self] result in
      guard case .failure(AudioStoreError.claimLost) = result,
        case .fetching(let fetch, nil) = phase
      else { return }
      phase = .fetching(fetch, .claimLost)
      fetch.process.send(.kill)
    }
  }

  private func stopListening(to fetch: FetchProcess) {
    downloads.loop.remove(fetch.descriptor)
    downloads.loop.remove(fetch.process.descriptor)
  }

  private func stopHeartbeat() {
    if let heartbeat { downloads.loop.cancel(heartbeat) }
    heartbeat = nil
  }
}

// MARK: - Its end

extension InputDownload {
  private func conclude(_ fetch: FetchProcess, _ exit: Exit, _ claim: DownloadClaim) throws {
    guard case .fetching(_, let halt) = phase else { return }
    switch (halt, fetch.result) {
    case (.claimLost?, _):
      stopHeartbeat()
      try look()
    case (.cancelled?, _):
      try release(claim, "called off")
      end(.failure(DownloadCancelled(url: url.shown)))
    case (nil, .success(.finished(let file))?): try store(file, claim)
    case (nil, .success(.unchanged)?): try confirm(claim)
    case (nil, .failure(let error)?) where error.code != .process:
      try release(claim, error.reason, error)
      end(.failure(error))
    default:
      let error = FetchError(
        .process, url: url.shown, "the fetch process ended with \(exit.status)")
      try release(claim, error.reason)
      end(.failure(error))
    }
  }

  /// Gives a claim back, and then lets others try who wait for it; `error` is one that they would meet
  /// as well.
  private func release(_ claim: DownloadClaim, _ reason: String, _ error: FetchError? = nil) throws
  {
    let isResumable = error?.kind != .permanent
    // Where it cannot be noted the claim ends by itself.
    try downloads.ask({ try $0.fail(claim, reason: reason, isResumable: isResumable) }) {
      [downloads, origin] _ in try downloads.wake(waitingFor: origin, error: error)
    }
  }

  private func store(_ file: FetchedFile, _ claim: DownloadClaim) throws {
    phase = .storing
    let fileExtension = file.fileExtension(for: url)
    let validators = Validators(file.validators)
    try downloads.store({ cache in
      let track = try cache.finish(claim, fileExtension: fileExtension, validators: validators)
      return try DownloadedInput(track, in: cache)
    }) { [self] result in
      try settle(result)
    }
  }

  /// What came of asking whether the track is current, which it is.
  private enum Confirmation: Sendable {
    case here(DownloadedInput?)
    /// It was removed meanwhile; the claim goes on.
    case gone
  }

  private func confirm(_ claim: DownloadClaim) throws {
    phase = .storing
    try downloads.ask({ cache -> Confirmation in
      guard let track = try cache.confirm(claim) else { return .gone }
      return .here(try DownloadedInput(track, in: cache))
    }) { [self] result in
      switch result {
      case .success(.here(let input)): try settle(.success(input))
      case .success(.gone):
        guard case .storing = phase else { return try release(claim, "called off") }
        try fetch(claim, asksIfCurrent: false)
      case .failure(let error): try settle(.failure(error))
      }
    }
  }

  /// Ends with what is in the cache now; looks again where it was removed at once.
  private func settle(_ result: Result<DownloadedInput?, any Error>) throws {
    defer { stopHeartbeat() }
    // The others first: this one's owner may call them off.
    try downloads.wake(waitingFor: origin, error: nil)
    guard case .storing = phase else { return }
    switch result {
    case .success(let input?): end(.success(input))
    case .success(nil), .failure(AudioStoreError.claimLost): try look()
    case .failure(let error): end(.failure(error))
    }
  }
}
