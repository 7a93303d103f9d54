public import struct FoundationEssentials.Date
import Glibc

extension Duration: ExpressibleByArgument {
  /// Reads numbers with the units `d`, `h`, `m`, `s` and `ms`, larger ones first (`1h30m`, `1.5h`,
  /// `500ms`); a number alone is seconds.
  public init?(argument: String) {
    if let seconds = Double(argument: argument) {
      guard let duration = Duration(checkedSeconds: seconds) else { return nil }
      self = duration
      return
    }
    var rest = argument[...]
    var units = Self.units[...]
    var seconds = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let letters = rest.dropFirst(digits.count).prefix { $0.isLetter }
      guard let number = Double(digits), let unit = units.firstIndex(where: { $0.name == letters })
      else { return nil }
      seconds += number * units[unit].seconds
      units = units[(unit + 1)...]
      rest = rest[letters.endIndex...]
    }
    guard !argument.isEmpty, let duration = Duration(checkedSeconds: seconds) else { return nil }
    self = duration
  }

  /// A time with examples.
  public static var expectation: String { "a time like 45s, 10m or 1h30m" }

  /// In the largest units, such as `1h30m`.
  public var defaultValueDescription: String {
    var rest = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    guard rest != 0 else { return "0s" }
    let sign = rest < 0 ? "-" : ""
    rest = abs(rest)
    return Self.units.reduce(into: sign) { text, unit in
      let milliseconds = Int64(unit.seconds * 1000)
      if rest >= milliseconds { text += "\(rest / milliseconds)\(unit.name)" }
      rest %= milliseconds
    }
  }

  private static let units: [(name: String, seconds: Double)] = [
    ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1), ("ms", 0.001),
  ]

  /// Refuses what is negative or longer than ten thousand years, which nobody means.
  private init?(checkedSeconds seconds: Double) {
    guard (0...315_569_520_000).contains(seconds) else { return nil }
    self = .milliseconds(Int64((seconds * 1000).rounded()))
  }
}

extension Date: ExpressibleByArgument {
  /// Reads a date and time as RFC 3339 writes it, the `T` or a space between them.
  ///
  /// Seconds may be left out; without `Z` or an offset it is local time, and a date alone is its
  /// midnight.
  public init?(argument: String) {
    guard let time = CivilTime(argument), let seconds = time.secondsSince1970 else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }

  /// A time with an example.
  public static var expectation: String { "a time like 2030-01-31T18:00:00Z" }
}

/// A date and time as people write it.
private struct CivilTime {
  let (year, month, day): (Int, Int, Int)
  var (hour, minute, second) = (0, 0, 0.0)
  /// Seconds east of Greenwich; local time when `nil`.
  var offset: Int?

  init?(_ text: String) {
    let pattern =
      /(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(Z|z|[+-]\d{2}:\d{2})?)?/
    guard let match = text.wholeMatch(of: pattern)?.output, let year = Int(match.1),
      let month = Int(match.2), let day = Int(match.3), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    hour = match.4.flatMap { Int($0) } ?? 0
    minute = match.5.flatMap { Int($0) } ?? 0
    second = match.6.flatMap { Double($0) } ?? 0
    guard hour < 24, minute < 60, second < 60 else { return nil }
    guard let zone = match.7 else { return }
    guard let offset = Self.offset(zone) else { return nil }
    self.offset = offset
  }

  /// The time in seconds since 1970 UTC; `nil` when the local zone cannot tell.
  var secondsSince1970: Double? {
    if let offset {
      let seconds = (daysSince1970 * 24 + hour) * 3_600 + minute * 60 - offset
      return Double(seconds) + second
    }
    var local = unsafe tm()
    unsafe local.tm_year = Int32(year - 1900)
    unsafe local.tm_mon = Int32(month - 1)
    unsafe local.tm_mday = Int32(day)
    unsafe local.tm_hour = Int32(hour)
    unsafe local.tm_min = Int32(minute)
    // Let the zone's rules say whether it is summer time.
    unsafe local.tm_isdst = -1
    let seconds = unsafe mktime(&local)
    return seconds == -1 ? nil : Double(seconds) + second
  }

  /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  private var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = (shifted / 400, shifted % 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func offset(_ zone: Substring) -> Int? {
    guard let sign = zone.first, sign == "+" || sign == "-" else { return 0 }
    let parts = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2, parts[0] < 24, parts[1] < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (parts[0] * 3_600 + parts[1] * 60)
  }
}
