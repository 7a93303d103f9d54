/// One filter of a chain: a name of the catalogue and parameters it accepts.
public struct FilterStep: Hashable, Sendable {
  /// The filter's name.
  public let name: String
  /// The parameters that are given; the others have their defaults.
  public let parameters: [String: FilterValue]
  /// The paths of the other pictures that the filter takes, in the order of its declaration.
  public let pictures: [String]

  /// Checks a name, parameters and the number of pictures against the catalogue.
  ///
  /// - Throws: the first thing that is wrong, parameters taken in the order of their names.
  public init(
    _ name: String, _ parameters: [String: FilterValue] = [:], pictures: [String] = []
  ) throws(FilterError) {
    guard let declaration = FilterCatalogue.filter(named: name) else {
      throw .unknownFilter(name: name, nearest: FilterCatalogue.nearestName(to: name))
    }
    for (key, value) in parameters.sorted(by: { $0.key < $1.key }) {
      try Self.check(key, value, of: declaration)
    }
    guard pictures.count == declaration.pictures.count else {
      throw .wrongPictures(filter: name, count: pictures.count, wanted: declaration.pictures)
    }
    self.name = name
    self.pictures = pictures
    self.parameters = parameters
  }

  /// What the step does to a picture, with the other pictures that it names.
  func operation(with pictures: [RGBAImage]) -> FilterOperation {
    guard let declaration = FilterCatalogue.filter(named: name) else {
      preconditionFailure("a step is of a filter in the catalogue")
    }
    return declaration.operation(FilterArguments(self, of: declaration, pictures: pictures))
  }

  private static func check(
    _ name: String, _ value: FilterValue, of filter: FilterDeclaration
  ) throws(FilterError) {
    guard let parameter = filter.parameter(named: name) else {
      let known = filter.parameters.map(\.name)
      throw .unknownParameter(
        filter: filter.name, name: name,
        nearest: FilterCatalogue.nearest(to: name, among: known), known: known)
    }
    guard parameter.matches(value) else {
      throw .wrongForm(filter: filter.name, parameter: parameter, value: value)
    }
    guard parameter.contains(value) else {
      throw .outOfRange(filter: filter.name, parameter: parameter, value: value)
    }
  }
}
