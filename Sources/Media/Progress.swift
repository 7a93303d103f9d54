/// How far a job is; reported as it goes on, from one thread.
public struct Progress: Sendable {
  /// What is being made now, in a word: `measuring`, `keying`, `audio`, `stills`, `checking`.
  public var stage: String
  /// The share of the input read so far, 0…1; nil where the input does not tell its length.
  public var fraction: Double?
  /// Frames decoded so far.
  public var frames: Int
  /// Frames decoded a second of wall time since the start.
  public var framesPerSecond: Double
  /// Seconds left at the present speed; nil while it cannot be told.
  public var secondsLeft: Double?
}

/// Turns positions in the input into reports, no more often than a reader can follow.
struct ProgressMeter {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var lastReport: ContinuousClock.Instant
  /// Seconds of input to go through, all passes together.
  private let duration: Double?
  private let passLength: Double
  private var passStart = 0.0
  private let report: (Progress) -> Bool
  /// Whether the receiver of a report has asked to end.
  private(set) var isCancelled = false
  private(set) var frames = 0
  private var position = 0.0

  /// Ten reports a second look alive on a terminal and cost nothing.
  private static let interval = Duration.milliseconds(100)

  /// A meter for an input of `duration` seconds that is read `passes` times.
  init(duration: Double?, passes: Int = 1, report: @escaping (Progress) -> Bool) {
    start = clock.now
    lastReport = start - Self.interval
    self.duration = duration.map { $0 * Double(passes) }
    passLength = duration ?? 0
    self.report = report
  }

  /// Notes that the input has been read up to `seconds` from its start.
  mutating func reached(_ seconds: Double, stage: String) {
    position = max(position, passStart + seconds)
    let now = clock.now
    guard now - lastReport >= Self.interval else { return }
    lastReport = now
    send(stage: stage, at: now)
  }

  /// Notes that the input is read once more, from its start.
  mutating func beginPass() {
    passStart += passLength
    position = max(position, passStart)
  }

  /// Notes that more frames have been decoded.
  mutating func count(frames new: Int) { frames += new }

  /// Reports a stage at once, as where one begins.
  mutating func enter(_ stage: String, complete: Bool = false) {
    if complete, let duration { position = duration }
    send(stage: stage, at: clock.now)
  }

  private mutating func send(stage: String, at now: ContinuousClock.Instant) {
    let elapsed = (now - start) / .seconds(1)
    let fraction = duration.flatMap { $0 > 0 ? min(1, max(0, position / $0)) : nil }
    var left: Double?
    if let fraction, fraction > 0.02, elapsed > 0.2 { left = elapsed * (1 - fraction) / fraction }
    let progress = Progress(
      stage: stage, fraction: fraction, frames: frames,
      framesPerSecond: elapsed > 0 ? Double(frames) / elapsed : 0, secondsLeft: left)
    if !report(progress) { isCancelled = true }
  }
}
