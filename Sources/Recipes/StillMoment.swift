/// When to take a still out of a clip.
public enum StillMoment: Hashable, Sendable {
  /// So long after the clip's first frame, in whole microseconds.
  case time(Duration)

  /// This part of the clip's length, 0 to 100 percent.
  case percent(Double)

  /// At the first frame, and again each time this much has passed; at least a millisecond.
  case every(Duration)
}

extension StillMoment {
  /// Moments of the recipe format that this version does not find yet.
  private static let announced = ["scenes", "best"]

  private static let forms = "seconds, \"10%\", \"00:01:30.5\" or \"every 5s\""

  /// Reads one element of `stills.at`.
  init(_ field: Field) throws(RecipeError) {
    switch field.node.value {
    case .number: self = .time(try field.time())
    case .text(let text): try self.init(text, of: field)
    default: throw field.mismatch(Self.forms)
    }
  }

  private init(_ text: String, of field: Field) throws(RecipeError) {
    if text.contains(":") {
      self = .time(try field.time())
    } else if text.hasSuffix("%") {
      self = .percent(try Self.percentage(text.dropLast(), of: field))
    } else if text.hasPrefix("every ") {
      self = .every(try Self.interval(text.dropFirst("every ".count), of: field))
    } else if Self.announced.contains(text) {
      throw field.error("this version does not find \(quoted(text)) yet; give \(Self.forms)")
    } else {
      throw field.error("\(quoted(text)) is not a moment; give \(Self.forms)")
    }
  }

  private static func percentage(
    _ text: Substring, of field: Field
  ) throws(RecipeError) -> Double {
    guard let percent = Double(plainDecimal: text), percent <= 100 else {
      throw field.error("\"\(excerpt(text))%\" is out of range; it goes from \"0%\" to \"100%\"")
    }
    return percent
  }

  private static func interval(
    _ text: Substring, of field: Field
  ) throws(RecipeError) -> Duration {
    guard let interval = Duration(withUnits: text) else {
      throw field.error("\(quoted(text)) is not a length of time such as \"5s\" or \"1m30s\"")
    }
    guard interval >= .milliseconds(1) else {
      throw field.error("\"every \(excerpt(text))\" is too often; a millisecond is the least")
    }
    return interval
  }

  /// The moment as a recipe gives it.
  var canonical: CanonicalValue {
    switch self {
    case .time(let time): .number(time.recipeSeconds)
    case .percent(let percent): .text("\(canonicalNumber(percent))%")
    case .every(let interval): .text("every \(canonicalNumber(interval.recipeSeconds))s")
    }
  }
}
