import AudioCache
import Fetch
import Platform
import Recipes

extension InputDownload {
  /// Starts the download that a claim is the right to; `asksIfCurrent`: unless what is there still is.
  func fetch(_ claim: DownloadClaim, asksIfCurrent: Bool = true) throws {
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
      report(.progress(received: offset, total: total))
      let known = Validators(validators)
      try renew(claim) { try $0.renew(claim, expectedSize: total, validators: known) }
      if let total { try makeRoom(claim, total) }
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

  /// Ends the download before it fills the disk, where it will not fit.
  private func makeRoom(_ claim: DownloadClaim, _ total: Int64) throws {
    // Where that cannot be told, the disk itself will say so.
    try downloads.ask({ try $0.makeRoom(for: claim, total: total) }) { [self] result in
      guard case .success(false) = result, case .fetching(let fetch, nil) = phase else { return }
      phase = .fetching(fetch, .noRoom)
      fetch.process.send(.kill)
    }
  }

  /// Lets the loop forget a fetch process.
  func stopListening(to fetch: FetchProcess) {
    downloads.loop.remove(fetch.descriptor)
    downloads.loop.remove(fetch.process.descriptor)
  }

  /// Lets the claim be.
  func stopHeartbeat() {
    if let heartbeat { downloads.loop.cancel(heartbeat) }
    heartbeat = nil
  }
}
