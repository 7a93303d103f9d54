extension MaskShape {
  private enum Name: String, CaseIterable {
    case rectangle, polygon, picture
  }

  /// The most shapes of a mask, and the most corners of a polygon.
  private static let (mostShapes, mostCorners) = (64, 1024)
  /// How far outside the picture a place may be, in pixels and in percent.
  private static let (mostPixels, mostPercent) = (65_535.0, 1000.0)

  /// Reads a list of shapes, or one alone.
  static func list(_ field: Field) throws(RecipeError) -> [MaskShape] {
    var shapes: [MaskShape] = []
    for element in try field.elements(atMost: mostShapes, orLone: true) {
      shapes.append(try MaskShape(element))
    }
    return shapes
  }

  private init(_ field: Field) throws(RecipeError) {
    let fields = try Fields(of: field, named: Name.self)
    let given = Name.allCases.compactMap { name in fields[name].map { (name, $0) } }
    guard let (name, value) = given.first, given.count == 1 else {
      throw field.error("a shape has one of the fields rectangle, polygon and picture")
    }
    self =
      switch name {
      case .rectangle: try Self.rectangle(value)
      case .polygon: try Self.polygon(value)
      case .picture: .picture(path: try value.pathInFolder())
      }
  }

  private static func rectangle(_ field: Field) throws(RecipeError) -> MaskShape {
    let sides = try field.elements(atMost: 4)
    guard sides.count == 4 else {
      throw field.error("a rectangle is [x, y, width, height]")
    }
    let (width, height) = (try sides[2].place(), try sides[3].place())
    for (side, place) in [(sides[2], width), (sides[3], height)] where place.on(1) <= 0 {
      throw side.error("a rectangle has a width and a height above 0")
    }
    return .rectangle(
      x: try sides[0].place(), y: try sides[1].place(), width: width, height: height)
  }

  private static func polygon(_ field: Field) throws(RecipeError) -> MaskShape {
    var corners: [Corner] = []
    for corner in try field.elements(atMost: mostCorners) {
      let places = try corner.elements(atMost: 2)
      guard places.count == 2 else { throw corner.error("a corner is [x, y]") }
      corners.append(Corner(x: try places[0].place(), y: try places[1].place()))
    }
    guard corners.count >= 3 else { throw field.error("a polygon has three corners or more") }
    return .polygon(corners)
  }

  /// The shape in the one form that equal shapes share.
  var canonical: CanonicalValue {
    switch self {
    case .rectangle(let x, let y, let width, let height):
      .object(of: [Name.rectangle: .list([x, y, width, height].map(\.canonical))])
    case .polygon(let corners):
      .object(of: [
        Name.polygon: .list(corners.map { .list([$0.x.canonical, $0.y.canonical]) })
      ])
    case .picture(let path):
      .object(of: [Name.picture: .text(path)])
    }
  }

  fileprivate static func place(_ field: Field) throws(RecipeError) -> Place {
    guard case .text(let text) = field.node.value else {
      return .pixels(try field.number(in: -mostPixels...mostPixels))
    }
    let isNegative = text.hasPrefix("-")
    let digits = text.dropFirst(isNegative ? 1 : 0).dropLast()
    guard text.hasSuffix("%"), let percent = Double(plainDecimal: digits), percent <= mostPercent
    else {
      throw field.error("\(quoted(text)) is no place; give pixels, or percent such as \"25%\"")
    }
    // No -0, so that equal shapes are written alike.
    return .share(isNegative && percent > 0 ? -percent / 100 : percent / 100)
  }
}

extension Field {
  fileprivate func place() throws(RecipeError) -> Place { try MaskShape.place(self) }

  /// The value as a path, taken from the recipe's folder on.
  func pathInFolder() throws(RecipeError) -> String {
    let path = try text("a path")
    guard !path.isEmpty else { throw error("the path is empty") }
    return source.path(from: path)
  }
}

extension Place {
  fileprivate var canonical: CanonicalValue {
    switch self {
    case .pixels(let pixels): .number(pixels)
    case .share(let share): .text("\(canonicalNumber((share * 1e8).rounded() / 1e6))%")
    }
  }
}
