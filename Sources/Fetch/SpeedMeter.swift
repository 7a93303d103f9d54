/// Watches how fast bytes come, and tells a pause from a stall.
struct SpeedMeter {
  /// What is to be said about the speed.
  enum Verdict: Hashable {
    /// Nothing.
    case fine
    /// Nothing has come for half the time that is put up with; said once in a pause.
    case pausing(Duration)
    /// Too little has come for too long.
    case stalled
  }

  private let patience: Duration
  private let minSpeed: Int64
  private var total: Int64 = 0
  private var lastByte: Duration
  private var hasToldOfPause = false
  /// Where the stretch began in which enough has to come, and how many bytes there were then.
  private var stretch: (start: Duration, total: Int64)

  /// Begins at a time; `minSpeed` is in bytes a second.
  init(patience: Duration, minSpeed: Int64, now: Duration) {
    self.patience = patience
    self.minSpeed = minSpeed
    lastByte = now
    stretch = (now, 0)
  }

  /// Counts bytes that came.
  mutating func count(_ bytes: Int, now: Duration) {
    total += Int64(bytes)
    lastByte = now
    hasToldOfPause = false
  }

  /// Judges; to be called at ``nextCheck`` at the latest.
  mutating func check(now: Duration) -> Verdict {
    if now - stretch.start >= patience {
      // At least one: a speed of 0 allows pauses of any number, not one that never ends.
      let least = max(1, Int64(Double(minSpeed) * (patience / .seconds(1))))
      guard total - stretch.total >= least else { return .stalled }
      stretch = (now, total)
    }
    guard !hasToldOfPause, now - lastByte >= patience / 2 else { return .fine }
    hasToldOfPause = true
    return .pausing(now - lastByte)
  }

  /// When there may next be something to say.
  var nextCheck: Duration {
    let end = stretch.start + patience
    return hasToldOfPause ? end : min(end, lastByte + patience / 2)
  }
}
