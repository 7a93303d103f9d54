extension AudioSection {
  private enum Name: String, CaseIterable {
    case formats, track, from, to, trimSilence, rate, channels, bits, bitrate, quality
    case loudness, truePeak, peaksPerSecond, peaksBits, report, optional
  }

  /// Loudness targets: from speech over noise to the loudest records.
  private static let loudnesses = -70.0 ... -5.0
  private static let truePeaks = -20.0...0.0
  private static let silences = -120.0 ... -10.0

  /// Reads the section.
  init(_ section: Field) throws(RecipeError) {
    let fields = try Fields(of: section, named: Name.self)
    if let field = fields[.optional] { optional = try field.flag() }
    if let field = fields[.formats] { formats = try Format.list(field) }
    if let field = fields[.track] { track = try TrackChoice(field) }
    if let field = fields[.report] { report = try field.flag() }
    try readCut(fields)
    try readShape(fields)
    try readBitrate(fields)
    if let field = fields[.peaksPerSecond] { peaksPerSecond = try Self.zooms(field) }
    if let field = fields[.peaksBits] { peaksBits = try field.number(among: [8, 16]) }
  }

  private mutating func readCut(_ fields: Fields<Name>) throws(RecipeError) {
    if let field = fields[.from]?.unlessNull { from = try field.time() }
    if let field = fields[.to]?.unlessNull { to = try field.time(after: from) }
    guard let field = fields[.trimSilence]?.unlessNull else { return }
    switch field.node.value {
    case .flag(let isWanted): trimSilence = isWanted ? Self.silenceLevel : nil
    case .number: trimSilence = try field.number(in: Self.silences)
    default: throw field.mismatch("true, false or a level in dB such as -60")
    }
  }

  private mutating func readShape(_ fields: Fields<Name>) throws(RecipeError) {
    if let field = fields[.rate]?.unlessNull { rate = try field.wholeNumber(in: Self.sampleRates) }
    if let field = fields[.channels]?.unlessNull { channels = try field.wholeNumber(in: 1...8) }
    if let field = fields[.bits]?.unlessNull { bits = try field.number(among: [16, 24]) }
    if let field = fields[.loudness]?.unlessNull {
      loudness = try field.number(in: Self.loudnesses)
    }
    if let field = fields[.truePeak] { truePeak = try field.number(in: Self.truePeaks) }
  }

  private mutating func readBitrate(_ fields: Fields<Name>) throws(RecipeError) {
    if let field = fields[.bitrate]?.unlessNull { bitrate = .bits(try Self.bitRate(field)) }
    guard let field = fields[.quality]?.unlessNull else { return }
    guard bitrate == .standard else {
      throw field.error("give \"bitrate\" or \"quality\", not both")
    }
    bitrate = .quality(try field.wholeNumber(in: 1...100))
  }

  /// Bits a second as a number, or as text such as `"192k"`.
  private static func bitRate(_ field: Field) throws(RecipeError) -> Int {
    guard case .text(let text) = field.node.value else {
      guard case .number = field.node.value else {
        throw field.mismatch("bits a second such as 192000 or \"192k\"")
      }
      return try field.wholeNumber(in: bitRates)
    }
    guard text.hasSuffix("k"), let thousands = Double(plainDecimal: text.dropLast()),
      let bits = Int(exactly: thousands * 1000)
    else {
      throw field.error("\(quoted(text)) is no bit rate such as 192000 or \"192k\"")
    }
    guard bitRates.contains(bits) else {
      throw field.error(
        "\(quoted(text)) is out of range; it goes from \"8k\" to "
          + "\"\(bitRates.upperBound / 1000)k\"")
    }
    return bits
  }

  private static func zooms(_ field: Field) throws(RecipeError) -> [Int] {
    var zooms: Set<Int> = []
    for element in try field.elements(atMost: mostZooms, orLone: true) {
      zooms.insert(try element.wholeNumber(in: 1...1000))
    }
    guard !zooms.isEmpty else {
      throw field.error("the list is empty; give points a second, such as 20")
    }
    return zooms.sorted()
  }

  /// The section with every field.
  var canonical: CanonicalValue {
    var values: [Name: CanonicalValue] = [
      .formats: .names(formats),
      .track: track.canonical,
      .from: .number(orNull: from?.recipeSeconds),
      .to: .number(orNull: to?.recipeSeconds),
      .trimSilence: trimSilence.map { .number($0) } ?? .flag(false),
      .rate: .number(orNull: rate.map(Double.init)),
      .channels: .number(orNull: channels.map(Double.init)),
      .bits: .number(orNull: bits.map(Double.init)),
      .bitrate: .null, .quality: .null,
      .loudness: .number(orNull: loudness),
      .truePeak: .number(truePeak),
      .peaksPerSecond: .list(peaksPerSecond.map { .number(Double($0)) }),
      .peaksBits: .number(Double(peaksBits)),
      .report: .flag(report),
      .optional: .flag(optional),
    ]
    switch bitrate {
    case .standard: break
    case .bits(let bits): values[.bitrate] = .number(Double(bits))
    case .quality(let quality): values[.quality] = .number(Double(quality))
    }
    return .object(of: values)
  }
}
