/// What is wrong with a filter's name or parameters.
public enum FilterError: Error, Hashable, Sendable {
  /// There is no filter of this name.
  case unknownFilter(name: String, nearest: String?)
  /// The filter has no parameter of this name.
  case unknownParameter(filter: String, name: String, nearest: String?, known: [String])
  /// The value is not what the parameter takes.
  case wrongForm(filter: String, parameter: FilterParameter, value: FilterValue)
  /// A number lies outside the parameter's range.
  case outOfRange(filter: String, parameter: FilterParameter, value: FilterValue)
  /// The filter takes another number of pictures: one for each description in `wanted`.
  case wrongPictures(filter: String, count: Int, wanted: [String])
}

extension FilterError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    switch self {
    case .unknownFilter(let name, let nearest):
      #"unknown filter "\#(name)""# + Self.hint(nearest)
    case .unknownParameter(let filter, let name, let nearest, let known):
      #"filter "\#(filter)" has no parameter "\#(name)""#
        + (nearest != nil ? Self.hint(nearest) : Self.list(known))
    case .wrongForm(let filter, let parameter, _), .outOfRange(let filter, let parameter, _):
      "\(filter): \(parameter.name) \(reason)"
    case .wrongPictures(let filter, _, _): "\(filter): \(reason)"
    }
  }

  /// The error without the names of filter and parameter, for those who name the place themselves.
  public var reason: String {
    switch self {
    case .unknownFilter, .unknownParameter: description
    case .wrongForm(_, let parameter, let value): "must be \(parameter.kind.phrase), not \(value)"
    case .outOfRange(_, let parameter, let value):
      "must be \(Self.phrase(parameter.range)), not \(value)"
    case .wrongPictures(_, let count, let wanted): Self.phrase(pictures: count, wanted: wanted)
    }
  }

  private static func hint(_ nearest: String?) -> String {
    nearest.map { #"; did you mean "\#($0)"?"# } ?? ""
  }

  private static func list(_ known: [String]) -> String {
    known.isEmpty ? "; it has none" : "; it has " + known.joined(separator: ", ")
  }

  private static func phrase(pictures count: Int, wanted: [String]) -> String {
    guard !wanted.isEmpty else { return "takes no pictures" }
    let number = wanted.count == 1 ? "1 picture" : "\(wanted.count) pictures"
    return "needs \(number) in \"pictures\" (\(wanted.joined(separator: ", "))), not \(count)"
  }

  private static func phrase(_ range: ClosedRange<Double>) -> String {
    let (low, high) = (FilterValue.number(range.lowerBound), FilterValue.number(range.upperBound))
    return range.upperBound.isFinite ? "between \(low) and \(high)" : "at least \(low)"
  }
}
