/// Filters that work on cells of the picture.
extension FilterCatalogue {
  static let cellFilters = [
    FilterDeclaration(
      "pixellate", "Fills square cells with the colour at their centre.", like: "PixellateFilter",
      [.cellWidth(default: 0.05)]
    ) { arguments in
      .picture(Pixellate(cellWidth: arguments.number("fractionalWidthOfAPixel")))
    }
  ]
}

extension FilterParameter {
  /// Declares the width of a cell.
  static func cellWidth(default width: Double) -> FilterParameter {
    .number(
      "fractionalWidthOfAPixel", default: width, in: 0...1, unit: "fraction of the width")
  }
}

/// The cells of a picture: squares that begin at the top left corner.
///
/// They are found with 32-bit floats as the shaders do, so that borders fall on the same pixels.
struct Cells {
  /// The width of a cell as a fraction of the picture's, at least a pixel.
  let width: Float
  /// Its height as a fraction of the picture's.
  let height: Float

  /// The cells that are `width` wide in a picture of a size.
  init(width: Float, in size: PixelSize) {
    self.width = max(width, 1 / Float(size.width))
    height = self.width / (Float(size.height) / Float(size.width))
  }

  /// The centres of the cells that places lie in.
  @inline(__always)
  func centers(of place: BlockPlace) -> (u: Lanes, v: Lanes) {
    (Self.center(place.u, Lanes(width)), Self.center(place.v, Lanes(height)))
  }

  @inline(__always)
  private static func center(_ place: Lanes, _ side: Lanes) -> Lanes {
    place - (place - side * (place / side).floor) + side * 0.5
  }
}

/// Fills each cell with the bilinear sample at its centre.
struct Pixellate: PictureFilter {
  let cellWidth: Float

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let center = Cells(width: cellWidth, in: picture.size).centers(of: place)
    return picture.sample(u: center.u, v: center.v)
  }
}
