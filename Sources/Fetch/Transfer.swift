import Platform

/// One question to one server, and the answer's way into the partial file.
final class Transfer: AnswerTaker {
  /// Whether a connection to an address that is not public was made, or tried.
  private(set) var hasMetPrivateAddress = false
  /// What the head meant; `nil` until it came.
  private(set) var answer: Answer?
  private let question: Question
  private let part: PartialFile
  private let limits: FetchLimits
  private let deadline: Duration
  private let report: (FetchEvent) -> Void
  private var meter: SpeedMeter
  private var nextProgress = BootClock.now + progressInterval
  /// How long the file is when all of the body has come, where that is announced.
  private var expectedLength: Int64?
  /// Since when it is that long.
  private var complete: Duration?

  private static let progressInterval: Duration = .milliseconds(500)
  /// How long a server may keep the connection open that it was asked to close.
  ///
  /// Until then it may show that it has more to send than it said.
  private static let closingPatience: Duration = .seconds(1)

  init(
    _ question: Question, into part: PartialFile, limits: FetchLimits, deadline: Duration,
    report: @escaping (FetchEvent) -> Void
  ) {
    self.question = question
    self.part = part
    self.limits = limits
    self.deadline = deadline
    self.report = report
    meter = SpeedMeter(patience: limits.stall, minSpeed: limits.minSpeed, now: BootClock.now)
  }

  /// Asks, and takes the answer to its end.
  /// - Returns: What the answer was; of a body, all that was announced is in the partial file.
  func run(
    _ client: HTTPClient, _ request: HTTPRequest, isPublicOnly: Bool
  ) throws(FetchError) -> Answer {
    let exchange = Exchange(self, isPublicOnly: isPublicOnly)
    let end = try client.perform(request, exchange) { () throws(FetchError) in
      try tick(BootClock.now)
    }
    hasMetPrivateAddress = exchange.hasMetPrivateAddress
    if let failure = exchange.failure { throw failure }
    guard let answer else {
      throw end?.failure(question.url, exchange) ?? error(.cut, "the server does not answer")
    }
    if !exchange.isCutByUs { try checkEnd(end) }
    return answer
  }

  /// Whether the body came whole: by the length that was announced, or by its own end mark.
  private func checkEnd(_ end: TransferEnd?) throws(FetchError) {
    if let expectedLength {
      guard part.length < expectedLength else { return }
      throw error(.cut, "the connection broke after \(part.length) bytes of \(expectedLength)")
    }
    guard end?.isOK == true else {
      throw error(.cut, "the connection broke after \(part.length) bytes")
    }
    guard var known = part.kept else { return }
    known.total = part.length
    part.learn(known)
  }

  private func error(_ code: FetchError.Code, _ reason: String) -> FetchError {
    FetchError(code, url: question.url.text, reason)
  }
}

// MARK: - The answer

extension Transfer {
  func take(_ head: ResponseHead) throws(FetchError) -> Bool {
    let answer = try question.answer(head)
    self.answer = answer
    switch answer {
    case .redirect, .unchanged, .otherContent: return false
    case .whole(let representation):
      try checkSize(representation.total ?? 0)
      try part.begin(representation)
      expectedLength = representation.total
    case .rest(let end, let known):
      try checkSize(known.total ?? 0)
      part.learn(known)
      expectedLength = end
    }
    noteCompletion()
    let validators = part.kept?.resumeValidators ?? HTTPValidators()
    report(.began(offset: part.length, total: part.kept?.total, validators: validators))
    // The body of an answer that nothing is missing is only words.
    if case .rest(part.length, _) = answer { return false }
    return true
  }

  func take(_ piece: RawSpan) throws(FetchError) {
    let length = part.length + Int64(piece.byteCount)
    if let expectedLength, length > expectedLength {
      throw error(.badAnswer, "the server sends more than the \(expectedLength) bytes it announced")
    }
    try checkSize(length)
    try part.append(piece)
    let now = BootClock.now
    meter.count(piece.byteCount, now: now)
    noteCompletion()
    guard now >= nextProgress else { return }
    nextProgress = now + Self.progressInterval
    report(.progress(received: part.length, total: part.kept?.total))
  }

  private func noteCompletion() {
    if part.length == expectedLength { complete = BootClock.now }
  }

  private func checkSize(_ bytes: Int64) throws(FetchError) {
    guard bytes > limits.maxBytes else { return }
    throw error(.tooLarge, "it is larger than \(limits.maxBytes) bytes, which is the limit")
  }
}

// MARK: - Time

extension Transfer {
  private func tick(_ now: Duration) throws(FetchError) -> HTTPClient.Tick {
    if let complete {
      let left = complete + Self.closingPatience - now
      return left > .zero ? .wait(left) : .end
    }
    guard now < deadline else {
      throw error(.timedOut, "not finished after \(limits.total), which is the limit")
    }
    switch meter.check(now: now) {
    case .fine: break
    case .pausing(let time): report(.stalled(received: part.length, seconds: time / .seconds(1)))
    case .stalled:
      let speed = "less than \(limits.minSpeed) bytes a second for \(limits.stall)"
      throw error(.stalled, answer == nil ? "no answer for \(limits.stall)" : speed)
    }
    return .wait(min(meter.nextCheck, deadline) - now)
  }
}
