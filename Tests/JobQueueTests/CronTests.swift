import Foundation
import JobQueue
import TestSupport
import Testing

@Suite struct CronTests {
  private func next(_ cron: String, after time: String) throws -> String? {
    let time = try Date(time, strategy: .iso8601)
    return try CronExpression(cron).next(after: time)?.ISO8601Format()
  }

  @Test(arguments: [
    ("* * * * *", "2025-06-15T15:06:40Z", "2025-06-15T15:07:00Z"),
    ("* * * * *", "2025-06-15T15:07:00Z", "2025-06-15T15:08:00Z"),
    ("0 3 * * *", "2025-06-15T03:00:00Z", "2025-06-16T03:00:00Z"),
    ("0 3 * * *", "2025-06-15T02:59:59Z", "2025-06-15T03:00:00Z"),
    ("*/15 9-17 * * mon-fri", "2025-06-13T17:45:00Z", "2025-06-16T09:00:00Z"),
    ("30 4 1,15 * 5", "2025-06-15T04:30:00Z", "2025-06-20T04:30:00Z"),
    ("0 0 29 2 *", "2025-01-01T00:00:00Z", "2028-02-29T00:00:00Z"),
    ("0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"),
    ("0 0 31 */2 *", "2025-01-31T00:00:00Z", "2025-03-31T00:00:00Z"),
    ("5/20 0 * * *", "2025-06-15T00:06:00Z", "2025-06-15T00:25:00Z"),
    ("0 12 * * 7", "2025-06-16T00:00:00Z", "2025-06-22T12:00:00Z"),
    ("0 12 * * fri-sun", "2025-06-14T13:00:00Z", "2025-06-15T12:00:00Z"),
    ("0 0 1 JAN,Jul *", "2025-06-15T00:00:00Z", "2025-07-01T00:00:00Z"),
    ("@weekly", "2025-06-16T00:00:00Z", "2025-06-22T00:00:00Z"),
    ("59 23 31 12 *", "1969-01-01T00:00:00Z", "1969-12-31T23:59:00Z"),
  ])
  func `the next time is`(cron: String, after: String, expected: String) throws {
    #expect(try next(cron, after: after) == expected)
  }

  @Test(arguments: [
    ("0 3 * *", "has 4 fields"),
    ("60 * * * *", "minute “60”: must be 0…59"),
    ("* 24 * * *", "hour “24”: must be 0…23"),
    ("* * 0 * *", "day of month “0”: must be 1…31"),
    ("* * * 13 *", "month “13”: must be 1…12 or jan, feb"),
    ("* * * * mo", "day of week “mo”: must be 0…7 or sun, mon"),
    ("30-10 * * * *", "minute “30-10”: a range begins with its lower end"),
    ("*/0 * * * *", "minute step “0”: must be 1…59"),
    ("1,,2 * * * *", "minute “”: not a number"),
    ("1/2/3 * * * *", "minute “1/2/3”: not a number"),
    ("-5 * * * *", "minute “”: must be"),
    ("0 0 30 2 *", "no month has such a day"),
    ("@reboot", "has 1 fields"),
  ])
  func `what is wrong is named`(cron: String, message: String) throws {
    let error = try #require(throws: CronError.self) { try CronExpression(cron) }
    #expect(error.description.contains(message), "\(error)")
  }

  /// Against the plain law, minute by minute, for random expressions.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `no time is missed and none is made up`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let fields = RandomCron(using: &random)
    let cron = try CronExpression(fields.text)
    var minute = Int.random(in: -1_000_000..<60_000_000, using: &random)
    let last = minute + 4 * 1440
    var found = try #require(cron.next(after: Date(minute: minute)))
    while minute < last {
      minute += 1
      let time = Date(minute: minute)
      let isNamed = fields.names(time)
      #expect(isNamed == (found == time), "seed \(seed): \(fields.text) at \(time)")
      if isNamed { found = try #require(cron.next(after: time)) }
    }
  }
}

extension Date {
  fileprivate init(minute: Int) { self.init(timeIntervalSince1970: Double(minute) * 60) }
}

/// A cron expression, and the law of crontab(5) applied to it by Foundation's calendar.
private struct RandomCron {
  let text: String
  private let sets: [Set<Int>]

  init(using random: inout SeededRandom) {
    let ranges = [0...59, 0...23, 1...31, 1...12, 0...6]
    var texts: [String] = []
    var sets: [Set<Int>] = []
    for range in ranges {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let step = Int.random(in: 1...5, using: &random)
        texts.append("*/\(step)")
        sets.append(Set(stride(from: range.lowerBound, through: range.upperBound, by: step)))
      case 1:
        let ends = [Int.random(in: range, using: &random), Int.random(in: range, using: &random)]
        let (low, high) = (ends.min() ?? 0, ends.max() ?? 0)
        texts.append("\(low)-\(high)")
        sets.append(Set(low...high))
      case 2:
        let list = (0..<8).map { _ in Int.random(in: range, using: &random) }
        texts.append(list.map { "\($0)" }.joined(separator: ","))
        sets.append(Set(list))
      default:
        texts.append("*")
        sets.append(Set(range))
      }
    }
    // A day that every month has, so that some time is always named.
    if !texts[2].hasPrefix("*") {
      texts[2] += ",7"
      sets[2].insert(7)
    }
    text = texts.joined(separator: " ")
    self.sets = sets
    openDays = texts[2].hasPrefix("*") || texts[4].hasPrefix("*")
  }

  private let openDays: Bool

  func names(_ time: Date) -> Bool {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.minute, .hour, .day, .month, .weekday], from: time)
    guard let minute = parts.minute, let hour = parts.hour, let day = parts.day,
      let month = parts.month, let weekday = parts.weekday
    else { return false }
    let (fitsDay, fitsWeekday) = (sets[2].contains(day), sets[4].contains(weekday - 1))
    let fits = openDays ? fitsDay && fitsWeekday : fitsDay || fitsWeekday
    return sets[0].contains(minute) && sets[1].contains(hour) && sets[3].contains(month) && fits
  }
}
