import Recipes

/// Chooses the frames that a recipe's `from`, `to` and `fps` ask for.
///
/// Without `fps` every shown frame of the span goes through with its own time. With it, frames stand
/// at even distances from `from`, each the one shown at its time: repeated or left out as needed.
struct FrameSampler {
  private let from: Double
  private let to: Double
  private let interval: Double?
  private var held: ShownFrame?
  private var nextTick = 0

  /// A sampler of a key section.
  init(_ section: KeySection) {
    from = section.from.map { $0 / .seconds(1) } ?? 0
    to = section.to.map { $0 / .seconds(1) } ?? .infinity
    interval = section.fps.map { 1 / $0 }
  }

  /// Whether nothing after `seconds` can be wanted any more.
  func isPast(_ seconds: Double) -> Bool { !ClipTime.isBefore(seconds, to) }

  /// The frames that are settled now that `shown` is known.
  mutating func take(_ shown: ShownFrame) -> [ShownFrame] {
    guard let interval else {
      let isWanted =
        !ClipTime.isBefore(shown.seconds, from) && ClipTime.isBefore(shown.seconds, to)
      return isWanted ? [shown] : []
    }
    let due = ticks(before: shown.seconds, interval)
    held = shown
    return due
  }

  /// The frames left when the clip ends at `end` seconds.
  mutating func finish(end: Double) -> [ShownFrame] {
    guard let interval else { return [] }
    return ticks(before: end, interval)
  }

  private mutating func ticks(before limit: Double, _ interval: Double) -> [ShownFrame] {
    guard let held else { return [] }
    var frames: [ShownFrame] = []
    while true {
      let time = from + Double(nextTick) * interval
      guard ClipTime.isBefore(time, min(limit, to)) else { return frames }
      frames.append(ShownFrame(frame: held.frame, seconds: time))
      nextTick += 1
    }
  }
}
