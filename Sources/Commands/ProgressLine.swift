/// How far a job is, in one line of a terminal.
///
/// `sprite.mp4  key  [=======>          ]  41%  31.2 fps  ETA 0:12`
public struct ProgressLine: Hashable, Sendable {
  /// What is worked on, such as a file's name; anything a terminal would obey is shown as `?`.
  public var title: String
  /// What is being done to it.
  public var stage: String
  /// How much is done, 0 to 1; `nil` when nobody knows.
  public var fraction: Double?
  /// How many frames are done; shown when the fraction is not known.
  public var frames: Int?
  /// How fast it goes.
  public var framesPerSecond: Double?
  /// How long it will still take.
  public var remaining: Duration?

  /// Describes a moment of a job.
  public init(
    title: String, stage: String, fraction: Double? = nil, frames: Int? = nil,
    framesPerSecond: Double? = nil, remaining: Duration? = nil
  ) {
    self.title = title
    self.stage = stage
    self.fraction = fraction
    self.frames = frames
    self.framesPerSecond = framesPerSecond
    self.remaining = remaining
  }

  /// The line, never wider than `columns`, without a line break.
  ///
  /// When it gets narrow the bar goes first, then fps, time and stage; the title is shortened last.
  public func text(columns: Int) -> String {
    let (name, stage) = (printable(title), printable(stage))
    let parts = [name, stage, amount, speed, time]
    // One column between the bar and the percentage, which keeps the width of 100%.
    let room = columns - displayWidth(joined(parts)) - 1 - ("100%".count - amount.count)
    if let fraction = known, room >= Self.narrowestBar {
      let bar = bar(fraction, min(room, Self.widestBar)) + " " + padded(amount, to: 4)
      return joined([name, stage, bar, speed, time])
    }
    let shorter = [parts, [name, stage, amount, time], [name, stage, amount], [name, amount]]
    if let line = shorter.map(joined).first(where: { displayWidth($0) <= columns }) {
      return line
    }
    let nameRoom = columns - displayWidth(amount) - 2
    if nameRoom >= Self.narrowestTitle {
      return joined([truncated(name, to: nameRoom), amount])
    }
    return truncated(amount, to: columns)
  }

  // Below ten cells a bar says less than the percentage; above forty it says no more.
  private static let narrowestBar = 10
  private static let widestBar = 40
  // A title of fewer columns tells nothing.
  private static let narrowestTitle = 8

  private var known: Double? {
    guard let fraction, fraction.isFinite else { return nil }
    return min(max(fraction, 0), 1)
  }

  private var amount: String {
    // Rounded down: 100% is when it is done.
    if let known { return "\(Int(known * 100))%" }
    return frames.map { "\($0) frames" } ?? "working"
  }

  private var speed: String {
    guard let framesPerSecond, framesPerSecond.isFinite, framesPerSecond >= 0 else { return "" }
    let tenths = Int((min(framesPerSecond, 1e9) * 10).rounded())
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10) fps" : "\((tenths + 5) / 10) fps"
  }

  private var time: String {
    guard let remaining, remaining >= .zero else { return "" }
    // Rounded up: 0:00 is when it is done.
    let (whole, part) = remaining.components
    let seconds = whole + (part > 0 ? 1 : 0)
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    guard hours < 100 else { return "ETA \(hours / 24)d" }
    let start = hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)"
    return "ETA \(start):\(twoDigits(seconds % 60))"
  }

  private func joined(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// A bar of `width` columns with its brackets.
  private func bar(_ fraction: Double, _ width: Int) -> String {
    let cells = width - 2
    let done = Int(fraction * Double(cells))
    let head = done < cells ? ">" : ""
    let filled = String(repeating: "=", count: done) + head
    return "[" + filled + String(repeating: " ", count: cells - filled.count) + "]"
  }

  private func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.map {
        $0.properties.generalCategory == .control ? "?" : Character($0)
      })
  }

  private func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
