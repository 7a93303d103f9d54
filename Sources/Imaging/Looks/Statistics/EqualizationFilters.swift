/// Filters that depend on how the picture's values are spread.
extension FilterCatalogue {
  static let equalizationFilters = [
    FilterDeclaration(
      "histogram-equalization", "Spreads the values so that all are equally frequent.",
      like: "HistogramEqualizationFilter",
      [
        .choice(
          "type", of: HistogramEqualization.Kind.allCases.map(\.rawValue), unit: "what is spread",
          "Whose histogram is made flat."),
        .integer(
          "downsamplingFactor", default: 16, in: 1...1_000_000, unit: "pixels for a sample",
          "One pixel of so many is counted."),
      ]
    ) { arguments in
      .measured(
        HistogramEqualization(
          kind: HistogramEqualization.Kind(rawValue: arguments.choice("type")) ?? .rgb,
          spacing: arguments.integer("downsamplingFactor")))
    }
  ]
}

/// Maps values by the share of samples that are no greater.
///
/// Only some pixels are counted, and a count ends at 255, as in the 8-bit histogram of the original.
struct HistogramEqualization: PictureMeasurement {
  /// What is spread.
  enum Kind: String, CaseIterable, Sendable {
    case rgb, luminance, red, green, blue
  }

  let kind: Kind
  /// The number of pixels that there is a sample for.
  let spacing: Int

  func operation(for picture: RGBAView) -> FilterOperation {
    let samples = self.samples(of: picture)
    func table(_ code: (SIMD4<UInt8>) -> UInt8) -> [Float] {
      Self.table(of: samples.lazy.map(code))
    }
    let unchanged = (0..<256).map { Float($0) }
    switch kind {
    case .rgb: return .curve(EqualizedChannels([table { $0.x }, table { $0.y }, table { $0.z }]))
    case .red: return .curve(EqualizedChannels([table { $0.x }, unchanged, unchanged]))
    case .green: return .curve(EqualizedChannels([unchanged, table { $0.y }, unchanged]))
    case .blue: return .curve(EqualizedChannels([unchanged, unchanged, table { $0.z }]))
    case .luminance: return .point(EqualizedLuminance(table(Self.luminance)))
    }
  }

  /// The pixels that are counted, in reading order and one fewer apart than the spacing, so that the
  /// end of the picture is left out: the original strides over bytes so.
  private func samples(of picture: RGBAView) -> [SIMD4<UInt8>] {
    let size = picture.size
    let step = max(spacing - 1, 1)
    return (0..<size.area / spacing).map { sample in
      let index = sample * step
      return picture.row(index / size.width)[index % size.width]
    }
  }

  /// The luminance of a pixel, cut to a whole code.
  private static func luminance(of pixel: SIMD4<UInt8>) -> UInt8 {
    let (red, green, blue) = (Float(pixel.x), Float(pixel.y), Float(pixel.z))
    return UInt8(0.2125 * red + 0.7154 * green + 0.0721 * blue)
  }

  /// The code that each code becomes.
  private static func table(of codes: some Sequence<UInt8>) -> [Float] {
    var counts = [Int](repeating: 0, count: 256)
    for code in codes where counts[Int(code)] < 255 { counts[Int(code)] += 1 }
    var sums: [Int] = []
    for count in counts { sums.append((sums.last ?? 0) + count) }
    let total = max(sums[255], 1)
    return sums.map { Float(($0 - sums[0]) * 255 / total) }
  }
}

/// Looks each channel up in a table of codes, between whose entries it is mixed.
struct EqualizedChannels: ChannelFilter {
  private let tables: [[Float]]

  init(_ tables: [[Float]]) { self.tables = tables }

  func value(_ value: Float, channel: Int) -> Float {
    ToneCurve.lookUp(value, in: tables[channel])
  }
}

/// Moves all channels by what the luminance is moved.
struct EqualizedLuminance: PointFilter {
  private let curve: FineCurves

  init(_ table: [Float]) {
    var curves = ChannelCurves()
    curves.append(EqualizedChannels([table, table, table]))
    curve = FineCurves(curves.tables(count: FineCurves.steps + 1), mapsAlpha: false)
  }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let luminance = block.luminance.clampedToUnit
    var gray = block
    gray.setGray(luminance)
    curve.apply(to: &gray, at: place)
    let move = gray.red - luminance
    block.mapColors { $0 + move }
  }
}
