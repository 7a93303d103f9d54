internal import Glibc

/// Filters that work on cells of the picture.
extension FilterCatalogue {
  static let cellFilters = [
    FilterDeclaration(
      name: "pixellate",
      summary: "Fills square cells with the colour at their centre.",
      source: "GPUImage PixellateFilter",
      parameters: [
        .number(
          "fractionalWidthOfAPixel", default: 0.05, in: 0...1, unit: "fraction of the width")
      ]
    ) { arguments in
      .picture(Pixellate(cellWidth: arguments.number("fractionalWidthOfAPixel")))
    }
  ]
}

/// Fills each cell with the bilinear sample at its centre; cells begin at the top left corner.
///
/// The grid is found with 32-bit floats as the shader does, so that borders fall on the same pixels.
struct Pixellate: PictureFilter {
  /// The side of a cell as a fraction of the picture's width, at least a pixel.
  let cellWidth: Float

  func apply(to image: RGBAImage) -> RGBAImage {
    let size = image.size
    let side = max(cellWidth, 1 / Float(size.width))
    let aspect = Float(size.height) / Float(size.width)
    let columns = (0..<size.width).map { Self.tap($0, of: size.width, cell: side) }
    let view = image.view
    return RGBAImage(size: size) { y, row in
      let down = Self.tap(y, of: size.height, cell: side / aspect)
      let (above, below) = (view.row(down.first), view.row(down.second))
      var last: (first: Int, pixel: SIMD4<UInt8>)?
      for across in columns {
        if let last, last.first == across.first {
          row.append(last.pixel)
          continue
        }
        let top = Self.mix(above[across.first], above[across.second], by: across.share)
        let bottom = Self.mix(below[across.first], below[across.second], by: across.share)
        let mixed = top + (bottom - top) * down.share
        let pixel = SIMD4<UInt8>(mixed.rounded(.toNearestOrEven))
        last = (across.first, pixel)
        row.append(pixel)
      }
    }
  }

  /// The two samples beside a cell's centre, clamped to the picture, and the second one's share.
  private struct Tap {
    var first: Int
    var second: Int
    var share: Float
  }

  /// Where the cell of pixel `index` is sampled along an axis of `count` pixels.
  private static func tap(_ index: Int, of count: Int, cell: Float) -> Tap {
    let place = (Float(index) + 0.5) / Float(count)
    let center = place - (place - cell * floorf(place / cell)) + cell * 0.5
    let position = center * Float(count) - 0.5
    let below = floorf(position)
    let last = count - 1
    return Tap(
      first: min(max(Int(below), 0), last), second: min(max(Int(below) + 1, 0), last),
      share: position - below)
  }

  private static func mix(
    _ a: SIMD4<UInt8>, _ b: SIMD4<UInt8>, by share: Float
  ) -> SIMD4<Float> {
    let (a, b) = (SIMD4<Float>(a), SIMD4<Float>(b))
    return a + (b - a) * share
  }
}
