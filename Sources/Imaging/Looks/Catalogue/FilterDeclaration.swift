/// The declaration of a still filter: its name, its parameters and what makes it.
public struct FilterDeclaration: Sendable {
  /// The name in a recipe, in kebab-case.
  public let name: String
  /// What the filter does, in one line.
  public let summary: String
  /// Where the formula comes from.
  public let source: String
  /// The parameters in the order they are shown.
  public let parameters: [FilterParameter]
  /// What the pictures are that a recipe names under `"pictures"`, in their order; none for most
  /// filters.
  public let pictures: [String]
  /// Makes the operation of a set of arguments.
  let operation: @Sendable (FilterArguments) -> FilterOperation

  /// Declares a filter after a class of GPUImage.
  init(
    _ name: String, _ summary: String, like class: String, _ parameters: [FilterParameter] = [],
    pictures: [String] = [], operation: @escaping @Sendable (FilterArguments) -> FilterOperation
  ) {
    self.name = name
    self.summary = summary
    source = "GPUImage \(`class`)"
    self.parameters = parameters
    self.pictures = pictures
    self.operation = operation
  }

  /// Declares a filter of our own.
  init(
    _ name: String, _ summary: String, _ parameters: [FilterParameter] = [],
    operation: @escaping @Sendable (FilterArguments) -> FilterOperation
  ) {
    self.name = name
    self.summary = summary
    source = "keymill"
    self.parameters = parameters
    pictures = []
    self.operation = operation
  }

  /// The parameter of a name.
  public func parameter(named name: String) -> FilterParameter? {
    parameters.first { $0.name == name }
  }
}

/// The values of all parameters of one step, checked, with the defaults filled in, and its pictures.
struct FilterArguments {
  /// The pictures of the step, as many as the declaration names.
  let pictures: [RGBAImage]
  private let values: [String: FilterValue]

  init(_ step: FilterStep, of declaration: FilterDeclaration, pictures: [RGBAImage]) {
    precondition(pictures.count == declaration.pictures.count, "a picture is missing")
    var values = step.parameters
    for parameter in declaration.parameters where values[parameter.name] == nil {
      values[parameter.name] = parameter.defaultValue
    }
    self.values = values
    self.pictures = pictures
  }

  /// The number of a parameter that is declared as one with a default.
  func number(_ name: String) -> Float {
    guard let number = optionalNumber(name) else {
      preconditionFailure("the declaration has no number \(name)")
    }
    return number
  }

  /// The number of a parameter that is declared as one; `nil` where none is given and it has no
  /// default.
  func optionalNumber(_ name: String) -> Float? { values[name]?.number.map { Float($0) } }

  /// The number of a parameter that is declared as a whole one.
  func integer(_ name: String) -> Int { Int(number(name)) }

  /// Whether a parameter that is declared as a flag is 1.
  func flag(_ name: String) -> Bool { number(name) != 0 }

  /// The word of a parameter that is declared as a choice.
  func choice(_ name: String) -> String {
    guard let word = values[name]?.text else {
      preconditionFailure("the declaration has no choice \(name)")
    }
    return word
  }

  /// The numbers of a parameter that is declared as a list.
  func numbers(_ name: String) -> [Float] {
    guard let numbers = values[name]?.numbers else {
      preconditionFailure("the declaration has no list \(name)")
    }
    return numbers.map { Float($0) }
  }

  /// The place of a parameter that is declared as a point.
  func point(_ name: String) -> SIMD2<Float> {
    let numbers = numbers(name)
    precondition(numbers.count == 2, "the declaration has no point \(name)")
    return SIMD2(numbers[0], numbers[1])
  }

  /// The colour of a parameter that is declared as one.
  func color(_ name: String) -> SIMD3<Float> {
    let channels = numbers(name)
    precondition(channels.count >= 3, "the declaration has no color \(name)")
    return SIMD3(channels[0], channels[1], channels[2])
  }

  /// The colour and alpha of a parameter that is declared so.
  func colorWithAlpha(_ name: String) -> SIMD4<Float> {
    let channels = numbers(name)
    precondition(channels.count == 4, "the declaration has no color with alpha \(name)")
    return SIMD4(channels[0], channels[1], channels[2], channels[3])
  }

  /// The points of a parameter that is declared as a curve.
  func curve(_ name: String) -> [SIMD2<Float>] {
    guard case .list(let points) = values[name] else {
      preconditionFailure("the declaration has no curve \(name)")
    }
    return points.compactMap(\.numbers).map { SIMD2(Float($0[0]), Float($0[1])) }
  }
}
