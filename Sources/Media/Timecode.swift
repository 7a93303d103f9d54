/// Times in messages.
enum Timecode {
  /// Seconds as `h:mm:ss.mmm`, without hours where there are none.
  static func text(_ seconds: Double) -> String {
    let milliseconds = Int((max(0, min(seconds, 1e9)) * 1000).rounded())
    let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000)
    let tail = padded(rest / 1000, 2) + "." + padded(rest % 1000, 3)
    guard minutes >= 60 else { return "\(minutes):\(tail)" }
    return "\(minutes / 60):\(padded(minutes % 60, 2)):\(tail)"
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
