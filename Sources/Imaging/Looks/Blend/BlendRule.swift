/// How the colours of two pictures become one.
protocol BlendRule: Sendable {
  /// The colours of a block, of those of the picture (`base`) and of the other one (`overlay`).
  ///
  /// Channels are 0…1 and straight; the result may leave that range: who calls clamps.
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock

  /// The same of words of pixels. For rules that are quicker on codes than on floats, with the same
  /// result: no sum of products of codes lies in the middle between two.
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32>

  /// Whether pixels that are opaque in both pictures are quicker to blend.
  static var hasOpaqueForm: Bool { get }

  /// The same of words of pixels that are all opaque.
  func blendOpaque(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32>

  /// Blends a row of each picture. Not for rules to implement: it is a requirement so that the loop
  /// is made for each type of rule.
  func blendRow(
    _ base: Span<SIMD4<UInt8>>, _ overlay: Span<SIMD4<UInt8>>,
    into row: inout MutableSpan<SIMD4<UInt8>>)
}

extension BlendRule {
  @inline(__always)
  func blend(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    blend(ColorBlock(words: base), ColorBlock(words: overlay)).words
  }

  static var hasOpaqueForm: Bool { false }

  @inline(__always)
  func blendOpaque(_ base: SIMD8<UInt32>, _ overlay: SIMD8<UInt32>) -> SIMD8<UInt32> {
    blend(base, overlay)
  }

  func blendRow(
    _ base: Span<SIMD4<UInt8>>, _ overlay: Span<SIMD4<UInt8>>,
    into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    row.fillBlocks { x in
      let (base, overlay) = (base.words(at: x), overlay.words(at: x))
      return Self.hasOpaqueForm && (base & overlay).isOpaque
        ? blendOpaque(base, overlay) : blend(base, overlay)
    }
  }
}

extension FilterDeclaration {
  /// Declares a filter that blends the picture with a second one, stretched to its size.
  static func blend<Rule: BlendRule>(
    _ name: String, _ summary: String, like class: String, _ parameters: [FilterParameter] = [],
    rule: @escaping @Sendable (FilterArguments) -> Rule
  ) -> FilterDeclaration {
    FilterDeclaration(
      name, summary, like: `class`, parameters, pictures: ["the picture to blend with"]
    ) { arguments in
      .rows(Blend(rule: rule(arguments), overlay: arguments.pictures[0]))
    }
  }
}

/// Blends each row with that of a second picture, which is sampled bilinearly where it has another
/// size.
struct Blend<Rule: BlendRule>: RowFilter, RowWorker {
  let rule: Rule
  let overlay: RGBAImage

  func reach(in size: PixelSize) -> RowReach { .none }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let size = window.size
    let base = window.row(0)
    guard overlay.size == size else {
      let sampler = PictureSampler(overlay)
      return row.fillBlocks { x in
        let place = BlockPlace(x: x, y: y, in: size)
        let other = sampler.sample(u: place.u, v: place.v)
        return rule.blend(ColorBlock(words: base.words(at: x)), other).words
      }
    }
    let picture = overlay
    let rest = picture.pixels.span.extracting((y * size.width)...)
    if rest.count >= size.width + ColorBlock.count {
      rule.blendRow(base, rest, into: &row)
    } else {
      // The last row has no whole block behind its last pixels.
      rule.blendRow(base, padded(rest).span, into: &row)
    }
  }

  private func padded(_ row: Span<SIMD4<UInt8>>) -> [SIMD4<UInt8>] {
    row.indices.map { row[$0] } + [SIMD4<UInt8>](repeating: .zero, count: ColorBlock.count)
  }
}
