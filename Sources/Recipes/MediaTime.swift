// Times in a recipe are whole microseconds, FFmpeg's own unit (`AV_TIME_BASE`), so that a time read,
// written and read again is the same time.

extension Duration {
  /// The latest time a recipe can name: 1000 hours.
  static let longestRecipeTime = Duration.seconds(3_600_000)

  /// A time of `seconds`, rounded to the nearest microsecond.
  init(recipeSeconds seconds: Double) {
    self = .microseconds(Int64((seconds * 1e6).rounded()))
  }

  /// The time in seconds, as ``init(recipeSeconds:)`` takes it back without loss.
  var recipeSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1e6
  }

  /// Reads a timecode, `hh:mm:ss` or `mm:ss`, with or without a fraction of the second.
  ///
  /// Only the first part may exceed 59. `nil` where the text is anything else.
  init?(timecode: String) {
    let parts = timecode.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let last = parts.last,
      let seconds = Double(plainDecimal: last), seconds < 60
    else { return nil }
    var minutes = 0
    for (index, part) in parts.dropLast().enumerated() {
      guard part.count <= 6, let value = Int(plainDigits: part), index == 0 || value < 60 else {
        return nil
      }
      minutes = minutes * 60 + value
    }
    self.init(recipeSeconds: Double(minutes * 60) + seconds)
  }

  /// Reads a length with units, such as `5s`, `500ms` or `1m30s`; `nil` where it is anything else.
  init?(withUnits text: some StringProtocol) {
    var rest = Substring(text)
    var total = 0.0
    repeat {
      let number = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let value = Double(plainDecimal: number), let seconds = Self.secondsInUnit[String(unit)]
      else { return nil }
      total += value * seconds
    } while !rest.isEmpty
    guard total <= Self.longestRecipeTime.recipeSeconds else { return nil }
    self.init(recipeSeconds: total)
  }

  private static let secondsInUnit = ["ms": 0.001, "s": 1, "m": 60, "h": 3600]
}

extension Double {
  /// Reads digits with at most one point between them: no sign, no exponent, no white space.
  init?(plainDecimal text: some StringProtocol) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.count <= 32, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }),
      let value = Double(String(text))
    else { return nil }
    self = value
  }
}

extension Int {
  /// Reads digits: no sign, no white space.
  fileprivate init?(plainDigits text: some StringProtocol) {
    guard text.utf8.allSatisfy(\.isDigit), let value = Int(text) else { return nil }
    self = value
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension Field {
  /// The value as a time from the start: seconds as a number, or a timecode as text.
  func time() throws(RecipeError) -> Duration {
    let latest = Duration.longestRecipeTime.recipeSeconds
    guard case .text(let text) = node.value else {
      guard case .number = node.value else {
        throw mismatch("seconds or a timecode such as \"00:01:30.5\"")
      }
      return Duration(recipeSeconds: try number(in: 0...latest))
    }
    guard let time = Duration(timecode: text) else {
      throw error("\(quoted(text)) is not a timecode such as \"00:01:30.5\" or \"1:30\"")
    }
    guard time <= .longestRecipeTime else { throw error("\(quoted(text)) is over 1000 hours") }
    return time
  }

  /// The value as the time where something ends that begins at `from`, or at 0 where that is nil.
  func time(after from: Duration?) throws(RecipeError) -> Duration {
    let (start, end) = (from ?? .zero, try time())
    guard end > start else {
      let seconds = [end, start].map { canonicalNumber($0.recipeSeconds) }
      throw error("\(seconds[0]) s is not after \"from\", which is \(seconds[1]) s")
    }
    return end
  }
}
