/// How the colours of two pictures become one.
protocol BlendRule: Sendable {
  /// The colours of a block, of those of the picture (`base`) and of the other one (`overlay`).
  ///
  /// Channels are 0…1 and straight; the result may leave that range: who calls clamps.
  func blend(_ base: ColorBlock, _ overlay: ColorBlock) -> ColorBlock
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
struct Blend<Rule: BlendRule>: RowFilter {
  let rule: Rule
  let overlay: RGBAImage

  func reach(in size: PixelSize) -> RowReach { .none }

  func makeWorker(for size: PixelSize) -> any RowWorker {
    Worker(rule: rule, overlay: overlay, width: size.width)
  }

  private struct Worker: RowWorker {
    private let rule: Rule
    private let overlay: RGBAImage
    /// A row of the second picture with room for a whole block at its end.
    private var overlayRow: [SIMD4<UInt8>]

    init(rule: Rule, overlay: RGBAImage, width: Int) {
      self.rule = rule
      self.overlay = overlay
      overlayRow = [SIMD4<UInt8>](repeating: .zero, count: width + ColorBlock.count)
    }

    mutating func makeRow(
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
      let source = picture.view.row(y)
      for x in source.indices { overlayRow[x] = source[x] }
      let other = overlayRow.span
      row.fillBlocks { x in
        rule.blend(
          ColorBlock(words: base.words(at: x)), ColorBlock(words: other.words(at: x))
        ).words
      }
    }
  }
}
