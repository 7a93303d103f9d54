import Glibc
import Platform

/// One URL on its way into a file: redirects, tries and waits, until it is there or cannot be had.
///
/// What runs in a fetch process. Blocks; libcurl may start a thread that looks up names.
public final class Fetcher {
  private let request: FetchRequest
  private let url: RemoteURL
  private let client: HTTPClient
  private let part: PartialFile
  private let report: (FetchEvent) -> Void
  private let deadline: Duration
  /// Whether any of the hosts that were asked has an address that is not public.
  private var hasMetPrivateAddress = false

  /// Prepares a download, and takes its partial file for this process.
  ///
  /// `report` is told what happens, except how it ends.
  /// - Throws: `badURL`, `privateAddress`, `busy`, `file`, `noSpace`.
  public init(
    _ request: FetchRequest, report: @escaping (FetchEvent) -> Void
  ) throws(FetchError) {
    self.request = request
    self.report = report
    url = try RemoteURL(request.url)
    client = try HTTPClient()
    part = try PartialFile(request, url: url.text)
    deadline = BootClock.now + request.limits.total
  }

  /// Downloads to the end, trying again while that may help.
  ///
  /// After an error that may pass, what came stays for another download to go on with; after one that
  /// does not, it is removed.
  public func run() throws(FetchError) -> FetchOutcome {
    do throws(FetchError) {
      return try runToEnd()
    } catch {
      if error.kind == .permanent { part.discard() }
      throw error
    }
  }

  private func runToEnd() throws(FetchError) -> FetchOutcome {
    var failures = 0
    while true {
      let before = part.length
      do throws(FetchError) {
        if let outcome = try attempt() { return outcome }
      } catch {
        // Whoever brings something each time may break off as often as the time allows.
        failures = part.length > before ? 1 : failures + 1
        try wait(after: error, failures)
      }
    }
  }

  /// Waits for the next try, where there is to be one.
  private func wait(after error: FetchError, _ failures: Int) throws(FetchError) {
    let limits = request.limits
    guard error.isWorthAnotherTry, failures < limits.attempts else { throw error }
    // Who asks to be left alone for longer than we wait is asked again later, by somebody else's clock.
    if let asked = error.retryAfter, asked > limits.longestDelay / .seconds(1) { throw error }
    let delay = Backoff(limits: limits).delay(
      afterFailures: failures, retryAfter: error.retryAfter, chance: .random(in: 0...1))
    guard BootClock.now + delay < deadline else { throw error }
    report(.retrying(attempt: failures + 1, seconds: delay / .seconds(1), error: error))
    // Ended early only by a signal, and then by one that ends the process.
    _ = poll(nil, 0, Int32(clamping: Int(delay / .milliseconds(1)) + 1))
  }
}

// MARK: - One try

extension Fetcher {
  /// Asks from the first URL on, wherever redirects lead.
  /// - Returns: `nil` where a server sent a part of what was missing, and the next is to be asked for.
  private func attempt() throws(FetchError) -> FetchOutcome? {
    var hop = url
    var redirects = 0
    while true {
      let question = question(to: hop)
      switch try ask(question) {
      case .redirect(let location):
        redirects += 1
        guard redirects <= request.limits.redirects else {
          throw FetchError(
            .redirects, url: url.text, "more than \(request.limits.redirects) redirects")
        }
        hop = try RemoteURL(location, relativeTo: hop)
      case .otherContent: part.forget()
      case .unchanged(let validators):
        part.discard()
        return .unchanged(current(validators))
      case .whole: return try finish(hop)
      case .rest(let end, let known): return end == known.total ? try finish(hop) : nil
      }
    }
  }

  private func question(to hop: RemoteURL) -> Question {
    var question = Question(url: hop, validators: request.validators)
    guard let kept = part.kept, !kept.resumeValidators.isEmpty else { return question }
    question.offset = part.length
    question.kept = kept
    return question
  }

  private func ask(_ question: Question) throws(FetchError) -> Answer {
    let url = question.url
    if !request.allowsPrivate, url.namesPrivateHost { throw .privateAddress(url, url.host) }
    let transfer = Transfer(
      question, into: part, limits: request.limits, deadline: deadline, report: report)
    let asked = HTTPRequest(
      url: url, fields: question.fields, proxy: request.proxy, certificates: request.certificates,
      connectTimeout: request.limits.connect)
    // A proxy may be anywhere; what it connects to is not seen here.
    let isPublicOnly = !request.allowsPrivate && request.proxy == nil
    defer { hasMetPrivateAddress = hasMetPrivateAddress || transfer.hasMetPrivateAddress }
    return try transfer.run(client, asked, isPublicOnly: isPublicOnly)
  }

  private func finish(_ hop: RemoteURL) throws(FetchError) -> FetchOutcome {
    try part.finish()
    return .finished(
      FetchedFile(
        path: request.path, bytes: part.length,
        validators: part.kept?.validators ?? HTTPValidators(),
        type: part.kept?.type, url: hop.text,
        isPrivate: request.allowsPrivate && hasMetPrivateAddress))
  }

  /// What is current by an answer that may leave out what has not changed.
  private func current(_ validators: HTTPValidators) -> HTTPValidators {
    HTTPValidators(
      etag: validators.etag ?? request.validators?.etag,
      lastModified: validators.lastModified ?? request.validators?.lastModified)
  }
}

extension FetchError {
  /// Whether the fetch process itself tries again.
  fileprivate var isWorthAnotherTry: Bool {
    switch code {
    case .unavailable, .name, .connection, .cut, .stalled: true
    default: false
    }
  }
}
