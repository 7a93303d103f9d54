/// One of the five parts of a cron expression: which numbers of its range it lets through.
struct CronField: Hashable, Sendable {
  /// Bit n is set where n is let through.
  private(set) var bits: UInt64 = 0
  /// Whether it begins with `*`, and so does not count when the days of month and week are combined.
  let isOpen: Bool

  func contains(_ number: Int) -> Bool { bits >> UInt64(number) & 1 == 1 }

  /// The least number from `number` on that is let through.
  func first(from number: Int) -> Int? {
    let rest = number < 64 ? bits >> UInt64(number) : 0
    return rest == 0 ? nil : number + rest.trailingZeroBitCount
  }

  /// Reads a list of numbers, ranges and steps: `*`, `5`, `1-5`, `*/15`, `10-40/10`, `mon,wed`.
  init(_ text: String, _ range: CronRange) throws(CronError) {
    isOpen = text.hasPrefix("*")
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      try add(part, range)
    }
    // Sunday is 0 and 7.
    if range.isWeekday, contains(7) { bits = (bits | 1) & 0x7f }
  }

  private mutating func add(_ part: Substring, _ range: CronRange) throws(CronError) {
    let pieces = part.split(separator: "/", omittingEmptySubsequences: false)
    guard pieces.count <= 2, let span = pieces.first, !span.isEmpty else {
      throw CronError("\(range.name) “\(part)”: not a number, a range or a step")
    }
    let (low, high) = try Self.bounds(span, range, hasStep: pieces.count == 2)
    let step = pieces.count == 2 ? try Self.step(pieces[1], range) : 1
    for number in stride(from: low, through: high, by: step) { bits |= 1 << UInt64(number) }
  }

  private static func bounds(
    _ span: Substring, _ range: CronRange, hasStep: Bool
  ) throws(CronError) -> (Int, Int) {
    if span == "*" { return (range.low, range.high) }
    let ends = span.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let low = try range.number(ends[0])
    // A step without an end goes on to the end: 5/15 is 5, 20, 35, 50.
    guard ends.count == 2 else { return (low, hasStep ? range.high : low) }
    let end = try range.number(ends[1])
    // Sunday is also the last day of a week, so that fri-sun has its days.
    let high = range.isWeekday && end == 0 && low > 0 ? 7 : end
    guard low <= high else {
      throw CronError("\(range.name) “\(span)”: a range begins with its lower end")
    }
    return (low, high)
  }

  private static func step(_ text: Substring, _ range: CronRange) throws(CronError) -> Int {
    guard let step = Int(text), (1...range.high).contains(step) else {
      throw CronError("\(range.name) step “\(text)”: must be 1…\(range.high)")
    }
    return step
  }
}

/// What the numbers of a part of a cron expression may be.
struct CronRange {
  let name: String
  let low: Int
  let high: Int
  var names: [String] = []
  var isWeekday = false

  static let minute = CronRange(name: "minute", low: 0, high: 59)
  static let hour = CronRange(name: "hour", low: 0, high: 23)
  static let day = CronRange(name: "day of month", low: 1, high: 31)
  static let month = CronRange(
    name: "month", low: 1, high: 12,
    names: [
      "", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ])
  static let weekday = CronRange(
    name: "day of week", low: 0, high: 7,
    names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"], isWeekday: true)

  func number(_ text: Substring) throws(CronError) -> Int {
    if let number = Int(text), (low...high).contains(number) { return number }
    if !text.isEmpty, let number = names.firstIndex(of: text.lowercased()) { return number }
    let others = names.filter { !$0.isEmpty }
    let hint = others.isEmpty ? "" : " or " + others.joined(separator: ", ")
    throw CronError("\(name) “\(text)”: must be \(low)…\(high)\(hint)")
  }
}
