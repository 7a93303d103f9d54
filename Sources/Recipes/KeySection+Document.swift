import Imaging

extension KeySection {
  private enum Name: String, CaseIterable {
    case color, mode, surface, threshold, smoothing, despill, unmix
    case clipBlack, clipWhite, choke, feather, garbage, holdOut, plate
    case alpha, size, fps, from, to, formats, optional
  }

  /// The widest choke and feather, in pixels; more would be a blur, not an edge.
  private static let widestEdge = 100.0

  /// Reads the section.
  init(_ section: Field) throws(RecipeError) {
    let fields = try Fields(of: section, named: Name.self)
    if let field = fields[.optional] { optional = try field.flag() }
    if let field = fields[.formats] { formats = try Format.list(field) }
    try readKeyer(fields)
    try readMatte(fields)
    try readFrames(fields)
  }

  private mutating func readKeyer(_ fields: Fields<Name>) throws(RecipeError) {
    if let field = fields[.color] { keyer.colors = try field.keyColors() }
    if let field = fields[.mode] { keyer.mode = try KeySettings.Mode(field) }
    if let field = fields[.surface] {
      keyer.surface = try KeySettings.Surface(field)
      if keyer.mode == .gpuimage && keyer.surface != .auto {
        throw field.error("mode \"gpuimage\" does not judge surfaces; take mode \"clean\"")
      }
    }
    if keyer.mode == .gpuimage { (keyer.threshold, keyer.smoothing) = (0.15, 0.3) }
    if let field = fields[.threshold]?.unlessNull {
      keyer.threshold = Float(try field.number(in: 0...1))
    }
    if let field = fields[.smoothing]?.unlessNull {
      keyer.smoothing = Float(try field.number(in: 0...1))
    }
    if let field = fields[.despill] { keyer.despill = Float(try field.number(in: 0...1)) }
    if let field = fields[.unmix] { keyer.unmix = try field.flag() }
  }

  private mutating func readMatte(_ fields: Fields<Name>) throws(RecipeError) {
    let edge = Self.widestEdge
    if let field = fields[.clipBlack] { keyer.clipBlack = Float(try field.number(in: 0...1)) }
    if let field = fields[.clipWhite] { keyer.clipWhite = Float(try field.number(in: 0...1)) }
    if let field = fields[.clipWhite] ?? fields[.clipBlack], keyer.clipBlack >= keyer.clipWhite {
      throw field.error("clipWhite has to be above clipBlack")
    }
    if let field = fields[.choke] { keyer.choke = Float(try field.number(in: -edge...edge)) }
    if let field = fields[.feather] { keyer.feather = Float(try field.number(in: 0...edge)) }
    if let field = fields[.garbage]?.unlessNull { garbage = try MaskShape.list(field) }
    if let field = fields[.holdOut]?.unlessNull { holdOut = try MaskShape.list(field) }
    if let field = fields[.plate]?.unlessNull {
      plate = try field.pathInFolder()
      if keyer.mode == .gpuimage {
        throw field.error("mode \"gpuimage\" takes no plate; it keys one colour everywhere")
      }
    }
  }

  private mutating func readFrames(_ fields: Fields<Name>) throws(RecipeError) {
    if let field = fields[.alpha] { alpha = try Alpha(field) }
    if let field = fields[.size]?.unlessNull {
      let wanted = try field.pixelSize()
      guard wanted.area <= Self.mostPixels else {
        throw field.error(
          "\(wanted) is over the limit of \(Self.mostPixels / 1_000_000) megapixels a frame")
      }
      let (short, long) = (min(wanted.width, wanted.height), max(wanted.width, wanted.height))
      guard long <= short * Self.longestSide else {
        throw field.error(
          "\(wanted) cannot be made; no side can be over \(Self.longestSide) times the other")
      }
      size = wanted
    }
    if let field = fields[.fps]?.unlessNull { fps = try field.number(in: 0.01...1000) }
    if let field = fields[.from]?.unlessNull { from = try field.time() }
    if let field = fields[.to]?.unlessNull { to = try field.time(after: from) }
  }

  /// The section with every field.
  var canonical: CanonicalValue {
    .object(of: [
      Name.color: canonicalColor,
      .mode: .text(keyer.mode.rawValue),
      .surface: .text(keyer.surface.rawValue),
      .threshold: keyer.threshold.map { .number($0) } ?? .null,
      .smoothing: keyer.smoothing.map { .number($0) } ?? .null,
      .despill: .number(keyer.despill),
      .unmix: .flag(keyer.unmix),
      .clipBlack: .number(keyer.clipBlack),
      .clipWhite: .number(keyer.clipWhite),
      .choke: .number(keyer.choke),
      .feather: .number(keyer.feather),
      .garbage: .list(garbage.map(\.canonical)),
      .holdOut: .list(holdOut.map(\.canonical)),
      .plate: .text(orNull: plate),
      .alpha: .text(alpha.rawValue),
      .size: .text(orNull: size?.description),
      .fps: .number(orNull: fps),
      .from: .number(orNull: from?.recipeSeconds),
      .to: .number(orNull: to?.recipeSeconds),
      .formats: .names(formats),
      .optional: .flag(optional),
    ])
  }

  private var canonicalColor: CanonicalValue {
    let colors = keyer.colors.map { CanonicalValue.text($0.description) }
    return switch colors.count {
    case 0: .text("auto")
    case 1: colors[0]
    default: .list(colors)
    }
  }
}

extension Field {
  /// The value as a colour, a list of colours without repetitions, or `"auto"`, which stands for none.
  fileprivate func keyColors() throws(RecipeError) -> [RGBColor] {
    if case .text("auto") = node.value { return [] }
    var colors: [RGBColor] = []
    for element in try elements(atMost: KeySection.mostColors, orLone: true) {
      let color = try element.color()
      if !colors.contains(color) { colors.append(color) }
    }
    guard !colors.isEmpty else { throw error("the list is empty; name a colour or \"auto\"") }
    return colors
  }

  private func color() throws(RecipeError) -> RGBColor {
    let text = try text("a colour such as \"magenta\" or \"#ff00ff\"")
    guard text != "auto" else { throw error("\"auto\" does not go with other colours") }
    guard let color = RGBColor(text) else {
      throw error("\(quoted(text)) is not a colour; give a CSS name, \"#rrggbb\" or \"auto\"")
    }
    return color
  }
}
