import AudioCache
import Fetch
import FoundationEssentials
import JobQueue
import Platform

extension Supervisor {
  /// Gets the input of a job, which is a URL, into the cache, and then starts the job on it.
  ///
  /// The job has its place, its lease and its time limits meanwhile, as if it ran.
  func download(for running: RunningJob) throws {
    guard let downloads else { throw InputError.notFetched }
    let download = try downloads.fetch(running.job.inputName) { news in
      running.take(news)
    } then: { [unowned self] result in
      take(result, for: running)
    }
    running.begin(download)
  }

  private func take(_ result: Result<DownloadedInput, any Error>, for running: RunningJob) {
    // Another supervisor has the job, or this one has given up.
    guard self.running[running.job.id] === running else { return }
    switch result {
    case .success(let input):
      running.take(input)
      launch(running, on: input.path)
    case .failure(let error): endWithoutProcess(running, because: error)
    }
  }

  private func endWithoutProcess(_ running: RunningJob, because error: any Error) {
    stopListening(to: running)
    self.running[running.job.id] = nil
    endings.append(
      EndedAttempt(running, notFetched: error, spaceWait: options.spaceWait, now: Date()))
    // Not at once: this may be in the middle of looking after all that run.
    loop.schedule(after: .zero) { [unowned self] in
      settle()
      look()
    }
  }

  /// Prolongs what keeps the downloaded inputs of jobs in the cache that run, or are not in the queue yet.
  func keepInputs() throws {
    try downloads?.keep(running.values.compactMap(\.input) + endings.compactMap(\.input))
  }
}

/// An input that this pool cannot get.
enum InputError: Error, CustomStringConvertible {
  /// The pool was started without a place for downloads.
  case notFetched

  var description: String { "this pool downloads nothing" }
}

extension Ending {
  /// The end of an attempt whose input could not be had, at `now`; where there is no room for it the job
  /// waits for `spaceWait`.
  static func notFetched(_ error: any Error, spaceWait: Duration, now: Date) -> Ending {
    let message = "\(error)"
    if lacksSpace(error) {
      return .postponed(message, until: now + spaceWait / .seconds(1))
    }
    guard let error = error as? FetchError else { return .failed(message, .transient) }
    if error.kind == .permanent { return .failed(message, .permanent) }
    guard let wait = error.retryAfter, wait > 0 else { return .failed(message, .transient) }
    return .failed(message, .deferred(until: now + min(wait, Self.longestDeferral)))
  }

  /// A server may name any time; after a day it is asked again all the same.
  private static let longestDeferral: Double = 86_400

  private static func lacksSpace(_ error: any Error) -> Bool {
    switch error {
    case let error as FetchError: error.kind == .noSpace
    case let error as PlatformError: error.isNoSpace || error.isShortage
    case AudioStoreError.system(let error): error.isNoSpace
    case AudioStoreError.index(let error): error.kind == .full
    default: false
    }
  }
}
