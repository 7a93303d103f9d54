import Imaging

extension FilterStep {
  /// Reads one filter, an object such as `{"sepia": {"intensity": 0.5}}`.
  ///
  /// The parameters that are not given, or null, are filled in with their defaults, so that recipes
  /// which differ in what they leave out only are equal.
  init(_ field: Field) throws(RecipeError) {
    if case .text(let name) = field.node.value {
      throw field.error("write a filter as an object: {\(quoted(name)): {}}")
    }
    let members = try field.members()
    guard let filter = members.first, members.count == 1 else {
      throw field.error("a filter is an object with its name as the only field")
    }
    guard let declaration = FilterCatalogue.filter(named: filter.name) else {
      let nearest = FilterCatalogue.nearestName(to: filter.name)
      throw filter.field.error(
        .unknownFilter(name: filter.name, nearest: nearest), at: filter.nameOffset)
    }
    let given = try filter.field.parameters(of: declaration)
    var values: [String: FilterValue] = [:]
    for parameter in declaration.parameters {
      values[parameter.name] = try given[parameter.name]?.filterValue() ?? parameter.defaultValue
    }
    do throws(FilterError) {
      try self.init(filter.name, values)
    } catch {
      let culprit = error.parameterName.flatMap { given[$0] } ?? filter.field
      throw culprit.error(error)
    }
  }

  /// The filter with every parameter that it has been given.
  var canonical: CanonicalValue {
    .object([name: .object(parameters.mapValues(\.canonical))])
  }
}

extension FilterError {
  /// The parameter at fault; `nil` where the filter is.
  fileprivate var parameterName: String? {
    switch self {
    case .unknownFilter: nil
    case .unknownParameter(_, let name, _, _): name
    case .wrongForm(_, let parameter, _), .outOfRange(_, let parameter, _): parameter.name
    }
  }
}

extension FilterValue {
  fileprivate var canonical: CanonicalValue {
    switch self {
    case .number(let number): .number(number)
    case .list(let values): .list(values.map(\.canonical))
    }
  }
}

extension Field {
  /// The most numbers a filter's parameter can list, such as the points of a curve.
  private static let mostNumbers = 1024

  /// The values of the parameters that are given and not null.
  fileprivate func parameters(
    of filter: FilterDeclaration
  ) throws(RecipeError) -> [String: Field] {
    var given: [String: Field] = [:]
    for (name, nameOffset, field) in try members() {
      guard filter.parameter(named: name) != nil else {
        let known = filter.parameters.map(\.name)
        let nearest = nearestName(to: name, among: known)
        throw field.error(
          .unknownParameter(filter: filter.name, name: name, nearest: nearest, known: known),
          at: nameOffset)
      }
      given[name] = field.unlessNull
    }
    return given
  }

  /// What the catalogue says about this value, or about its name at `nameOffset`.
  fileprivate func error(_ error: FilterError, at nameOffset: Int? = nil) -> RecipeError {
    source.error(
      at: nameOffset ?? node.offset, in: path, excerpt(error.reason, limit: 240))
  }

  fileprivate func filterValue() throws(RecipeError) -> FilterValue {
    switch node.value {
    case .number(let number): return .number(number == 0 ? 0 : number)
    case .list:
      var values: [FilterValue] = []
      for element in try elements(atMost: Self.mostNumbers) {
        values.append(try element.filterValue())
      }
      return .list(values)
    default: throw mismatch("a number or a list of numbers")
    }
  }
}
