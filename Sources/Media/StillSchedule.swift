import Recipes

/// The instants at which a clip's stills are taken, numbered in the order of the recipe's `at`.
struct StillSchedule {
  /// One still to be taken.
  struct Instant: Equatable {
    /// Its place in the order of `at`, from 1; the still's file name.
    let number: Int
    /// Seconds from the first shown frame.
    let seconds: Double
  }

  private var pending: [Instant]

  /// A schedule of seconds given in the order of `at`.
  init(seconds: [Double]) {
    pending = seconds.enumerated()
      .map { Instant(number: $0.offset + 1, seconds: max(0, $0.element)) }
      .sorted { ($0.seconds, $0.number) < ($1.seconds, $1.number) }
  }

  /// The schedule of a recipe's moments in a clip that is `duration` seconds long.
  init(_ moments: [StillMoment], duration: Double) {
    self.init(
      seconds: moments.flatMap { moment -> [Double] in
        switch moment {
        case .time(let time): [time / .seconds(1)]
        case .percent(let percent): [duration * percent / 100]
        case .every(let interval):
          // The clip's very end is no moment of it: 3 s every 1 s are three stills.
          Array(stride(from: 0, to: max(duration - 1e-6, 1e-6), by: interval / .seconds(1)))
        }
      })
  }

  /// Whether every still has been taken.
  var isEmpty: Bool { pending.isEmpty }

  /// How many stills are left.
  var count: Int { pending.count }

  /// Takes out the instants that lie before `seconds`: the frame shown until then serves them.
  mutating func take(before seconds: Double) -> [Instant] {
    let count = pending.prefix { ClipTime.isBefore($0.seconds, seconds) }.count
    defer { pending.removeFirst(count) }
    return Array(pending.prefix(count))
  }

  /// Takes out all that is left: the last frame serves it.
  mutating func takeRest() -> [Instant] {
    defer { pending = [] }
    return pending
  }
}
