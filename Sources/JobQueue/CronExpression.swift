public import FoundationEssentials

/// When something recurs: five fields as in crontab(5), in UTC.
///
/// Minute, hour, day of month, month and day of week, each `*`, a number, a range, a list, or any of
/// them with a step; months and days of the week also by the first three letters of their English
/// names. As in cron, where neither day of month nor day of week begins with `*`, a day that fits
/// either will do. `@hourly`, `@daily`, `@weekly`, `@monthly` and `@yearly` are short for the obvious.
public struct CronExpression: Hashable, Sendable, CustomStringConvertible {
  /// The text it was read from.
  public let description: String
  private let minute: CronField
  private let hour: CronField
  private let day: CronField
  private let month: CronField
  private let weekday: CronField

  /// Reads an expression.
  ///
  /// - Throws: which field is wrong and what it may be; also for one that no day ever fits.
  public init(_ text: String) throws(CronError) {
    let plain = Self.shorthands[text.lowercased()] ?? text
    let fields = plain.split(whereSeparator: \.isWhitespace).map(String.init)
    guard fields.count == 5 else {
      throw CronError(
        "“\(text)”: has \(fields.count) fields, not the five: minute, hour, day of month, month, "
          + "day of week")
    }
    description = text
    minute = try CronField(fields[0], .minute)
    hour = try CronField(fields[1], .hour)
    day = try CronField(fields[2], .day)
    month = try CronField(fields[3], .month)
    weekday = try CronField(fields[4], .weekday)
    guard next(after: Date(timeIntervalSince1970: 0)) != nil else {
      throw CronError("“\(text)”: no month has such a day")
    }
  }

  private static let shorthands = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
  ]

  /// The first time after `time` that it names; nil where there is none.
  public func next(after time: Date) -> Date? {
    let elapsed = (time.timeIntervalSince1970 / 60).rounded(.down)
    guard abs(elapsed) < Self.farthest else { return nil }
    var now = CivilTime(minutesSince1970: Int(elapsed) + 1)
    // The calendar repeats itself after 146,097 days, which are whole weeks.
    for _ in 0...146_097 {
      if fits(now), let minute = firstMinute(from: now.minute) {
        now.minute = minute
        return Date(timeIntervalSince1970: Double(now.minutesSince1970) * 60)
      }
      now.day += 1
      now.minute = 0
    }
    return nil
  }

  /// In minutes; beyond it a `Date` does not tell one from the next.
  private static let farthest = 1e12

  /// Whether it names times on that day.
  private func fits(_ time: CivilTime) -> Bool {
    let (month, day) = time.monthAndDay
    guard self.month.contains(month) else { return false }
    let (fitsDay, fitsWeekday) = (self.day.contains(day), weekday.contains(time.weekday))
    if self.day.isOpen || weekday.isOpen { return fitsDay && fitsWeekday }
    return fitsDay || fitsWeekday
  }

  /// The first minute of a day that it names, from a given one on.
  private func firstMinute(from start: Int) -> Int? {
    let (hour, minute) = (start / 60, start % 60)
    if self.hour.contains(hour), let next = self.minute.first(from: minute) {
      return hour * 60 + next
    }
    guard let next = self.hour.first(from: hour + 1), let first = self.minute.first(from: 0) else {
      return nil
    }
    return next * 60 + first
  }
}

/// What is wrong with a cron expression.
public struct CronError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field, what it says, and what it may say.
  public let description: String

  init(_ description: String) { self.description = description }
}
