/// A time of the proleptic Gregorian calendar in UTC, to the minute.
///
/// Foundation's calendars know locales and time zones, and take a thousand times as long.
struct CivilTime: Hashable {
  /// Days since 1970-01-01.
  var day: Int
  /// Minutes since midnight, 0..<1440.
  var minute: Int

  /// The minute that holds a time given in minutes since 1970.
  init(minutesSince1970 minutes: Int) {
    minute = (minutes % 1440 + 1440) % 1440
    day = (minutes - minute) / 1440
  }

  /// Minutes since 1970.
  var minutesSince1970: Int { day * 1440 + minute }

  /// 0 is Sunday.
  var weekday: Int { ((day + 4) % 7 + 7) % 7 }

  /// Month 1…12 and day of the month 1…31.
  ///
  /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013), `civil_from_days`.
  var monthAndDay: (month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
  }
}
