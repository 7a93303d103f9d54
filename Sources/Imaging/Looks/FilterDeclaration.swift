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
  /// Makes the operation of a set of arguments.
  let operation: @Sendable (FilterArguments) -> FilterOperation

  /// The parameter of a name.
  public func parameter(named name: String) -> FilterParameter? {
    parameters.first { $0.name == name }
  }
}

/// The values of all parameters of one step, checked, with the defaults filled in.
struct FilterArguments {
  private let values: [String: FilterValue]

  init(_ step: FilterStep, of declaration: FilterDeclaration) {
    var values = step.parameters
    for parameter in declaration.parameters where values[parameter.name] == nil {
      values[parameter.name] = parameter.defaultValue
    }
    self.values = values
  }

  /// The number of a parameter that is declared as one.
  func number(_ name: String) -> Float {
    guard let number = values[name]?.number else {
      preconditionFailure("the declaration has no number \(name)")
    }
    return Float(number)
  }

  /// The colour of a parameter that is declared as one.
  func color(_ name: String) -> SIMD3<Float> {
    guard let channels = values[name]?.numbers, channels.count == 3 else {
      preconditionFailure("the declaration has no color \(name)")
    }
    return SIMD3(Float(channels[0]), Float(channels[1]), Float(channels[2]))
  }
}

/// What a filter does to a picture.
enum FilterOperation: Sendable {
  /// Maps each colour channel by itself: a function of a value 0…1 to any number.
  case curve(@Sendable (Float) -> Float)
  /// Maps each pixel by itself.
  case point(any PointFilter)
  /// Needs the picture.
  case picture(any PictureFilter)
}

/// A filter that maps each pixel by itself.
protocol PointFilter: Sendable {
  /// Maps the tile's pixels in place. Channels come in as 0…1 and may leave it; who calls clamps.
  func apply(to tile: inout ColorTile)
}

/// A filter whose pixels depend on others, or on where they are.
protocol PictureFilter: Sendable {
  /// Makes the filtered picture.
  func apply(to image: RGBAImage) -> RGBAImage
}
