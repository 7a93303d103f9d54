/// Filters that make a colour transparent.
extension FilterCatalogue {
  static let keyFilters = [
    FilterDeclaration(
      "chroma-key", "Makes pixels near a colour transparent; their colour stays.",
      like: "ChromaKeyFilter", keyParameters
    ) { arguments in
      .point(ChromaKeyFilter(ChromaKey(arguments)))
    },
    .blend(
      "chroma-key-blend", "Shows another picture where this one is near a colour.",
      like: "ChromaKeyBlendFilter", keyParameters
    ) { ChromaKeyBlend(key: ChromaKey($0)) },
  ]

  private static let keyParameters: [FilterParameter] = [
    .number(
      "thresholdSensitivity", default: 0.4, in: 0...1, unit: "chroma distance",
      "Colours nearer to the key than this vanish."),
    .number(
      "smoothing", default: 0.1, in: 0...1, unit: "chroma distance",
      "How much further the edge goes on fading."),
    .color("colorToReplace", default: [0, 1, 0], "The key."),
  ]
}

/// How much of the foreground a colour is: the smooth step over its chroma distance from the key.
///
/// The measure is that of ``ChromaDistance``.
struct ChromaKey: Sendable {
  private let cr: Float
  private let cb: Float
  private let threshold: Float
  private let smoothing: Float

  /// Takes the parameters that the key filters share.
  init(_ arguments: FilterArguments) {
    let color = arguments.color("colorToReplace")
    let chroma = ChromaDistance.chroma(red: color.x, green: color.y, blue: color.z)
    cr = chroma.cr
    cb = chroma.cb
    threshold = arguments.number("thresholdSensitivity")
    smoothing = arguments.number("smoothing")
  }

  /// The share of the foreground, 0…1.
  @inline(__always)
  func coverage(of block: ColorBlock) -> Lanes {
    let luma = block.red * 0.2989 + block.green * 0.5866 + block.blue * 0.1145
    let red = 0.7132 * (block.red - luma) - Lanes(cr)
    let blue = 0.5647 * (block.blue - luma) - Lanes(cb)
    let distance = (red * red + blue * blue).squareRoot
    return smoothstep(Lanes(threshold), Lanes(threshold + smoothing), distance)
  }
}

/// Multiplies alpha by the share of the foreground.
struct ChromaKeyFilter: PointFilter {
  private let key: ChromaKey

  static var changesAlpha: Bool { true }

  init(_ key: ChromaKey) { self.key = key }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    block.alpha *= key.coverage(of: block)
  }
}

/// Mixes all channels by the share of the foreground.
struct ChromaKeyBlend: BlendRule {
  let key: ChromaKey

  @inline(__always)
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock {
    let share = key.coverage(of: base)
    return ColorBlock(
      red: mix(overlay.red, base.red, share), green: mix(overlay.green, base.green, share),
      blue: mix(overlay.blue, base.blue, share), alpha: mix(overlay.alpha, base.alpha, share))
  }
}
