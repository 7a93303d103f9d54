import AudioCache
import Fetch
import Platform
import Recipes

extension InputDownload {
  /// Goes on from how a fetch process has ended.
  func conclude(_ fetch: FetchProcess, _ exit: Exit, _ claim: DownloadClaim) throws {
    guard case .fetching(_, let halt) = phase else { return }
    switch (halt, fetch.result) {
    case (.claimLost?, _):
      stopHeartbeat()
      try look()
    case (.cancelled?, _):
      try release(claim, "called off")
      end(.failure(DownloadCancelled(url: url.shown)))
    case (.noRoom?, _):
      let error = FetchError(
        .noSpace, url: url.shown,
        "no space left in \(Files.parent(of: claim.partialPath)) for all of it; make room and try again"
      )
      try release(claim, error.reason, error)
      end(.failure(error))
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
  func release(_ claim: DownloadClaim, _ reason: String, _ error: FetchError? = nil) throws {
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
    let isPrivate = file.isPrivate
    try downloads.store({ cache in
      // On trial: whatever a URL leads to comes here, media or not.
      let track = try cache.finish(
        claim, fileExtension: fileExtension, validators: validators, isOnTrial: true,
        isPrivate: isPrivate)
      let input = try DownloadedInput(track, in: cache)
      try cache.keepToLimits()
      return input
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
