public import Imaging

extension FilterStep {
  /// Reads a filter as it stands in a recipe: `{"sepia": {"intensity": 0.5}}`.
  ///
  /// - Parameters:
  ///   - json: The document; paths in it are relative to the working directory.
  ///   - name: What errors call the document.
  /// - Throws: `RecipeError` of kind `invalid` at the first fault.
  public init(json: String, name: String) throws(RecipeError) {
    let source = try SourceText(name: name, bytes: Array(json.utf8))
    try self.init(Field(node: JSONReader.read(source), path: FieldPath(), source: source))
  }

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
    let pictures = try given[Self.picturesName]?.paths() ?? []
    do throws(FilterError) {
      try self.init(filter.name, values, pictures: pictures)
    } catch {
      let culprit = error.parameterName.flatMap { given[$0] } ?? filter.field
      throw culprit.error(error)
    }
  }

  /// The member that names the other pictures of a filter.
  fileprivate static let picturesName = "pictures"

  /// The filter with every parameter that it has been given.
  var canonical: CanonicalValue {
    var members = parameters.mapValues(\.canonical)
    if !pictures.isEmpty { members[Self.picturesName] = .list(pictures.map { .text($0) }) }
    return .object([name: .object(members)])
  }
}

extension FilterError {
  /// The parameter at fault; `nil` where the filter is.
  fileprivate var parameterName: String? {
    switch self {
    case .unknownFilter: nil
    case .wrongPictures: FilterStep.picturesName
    case .unknownParameter(_, let name, _, _): name
    case .wrongForm(_, let parameter, _), .outOfRange(_, let parameter, _): parameter.name
    }
  }
}

extension FilterValue {
  fileprivate var canonical: CanonicalValue {
    switch self {
    case .number(let number): .number(number)
    case .text(let word): .text(word)
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
      let isKnown =
        filter.parameter(named: name) != nil
        || name == FilterStep.picturesName && !filter.pictures.isEmpty
      guard isKnown else {
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

  /// The paths of pictures, taken from the recipe's folder on.
  fileprivate func paths() throws(RecipeError) -> [String] {
    var paths: [String] = []
    for element in try elements(atMost: 8) { paths.append(try element.pathInFolder()) }
    return paths
  }

  fileprivate func filterValue() throws(RecipeError) -> FilterValue {
    switch node.value {
    case .number(let number): return .number(number == 0 ? 0 : number)
    case .text(let word): return .text(word)
    case .list:
      var values: [FilterValue] = []
      for element in try elements(atMost: Self.mostNumbers) {
        values.append(try element.filterValue())
      }
      return .list(values)
    default: throw mismatch("a number, a word or a list of numbers")
    }
  }
}
