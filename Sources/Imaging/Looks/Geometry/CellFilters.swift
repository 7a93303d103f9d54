/// Filters that work on cells of the picture.
extension FilterCatalogue {
  static let cellFilters = [
    FilterDeclaration(
      "pixellate", "Fills square cells with the colour at their centre.", like: "PixellateFilter",
      [.cellWidth(default: 0.05)]
    ) { arguments in
      .picture(Pixellate(cellWidth: arguments.number("fractionalWidthOfAPixel")))
    },
    FilterDeclaration(
      "polar-pixellate", "Fills cells of rings and rays with the colour at one place of them.",
      like: "PolarPixellateFilter",
      [
        .vector(
          "pixelSize", default: [0.05, 0.05], in: -2...2, unit: "half widths, radians",
          "How wide the rings are, and the angle between the rays."),
        .point("center", "Where the rays meet."),
      ]
    ) { arguments in
      let cell = arguments.numbers("pixelSize")
      return .picture(
        PolarPixellate(cell: SIMD2(cell[0], cell[1]), center: arguments.point("center")))
    },
    FilterDeclaration(
      "polka-dot", "Shows a dot of colour for each cell, on black.", like: "PolkaDotFilter",
      [
        .cellWidth(default: 0.05),
        .number(
          "dotScaling", default: 0.9, in: 0...1, unit: "fraction of the cell",
          "How much of its cell a dot is wide."),
      ]
    ) { arguments in
      .picture(
        PolkaDot(
          cellWidth: arguments.number("fractionalWidthOfAPixel"),
          dotScaling: arguments.number("dotScaling")))
    },
    FilterDeclaration(
      "halftone", "Prints black dots on white, larger where the picture is darker.",
      like: "HalftoneFilter", [.cellWidth(default: 0.01)]
    ) { arguments in
      .picture(Halftone(cellWidth: arguments.number("fractionalWidthOfAPixel")))
    },
  ]
}

extension FilterParameter {
  /// Declares the width of a cell.
  static func cellWidth(default width: Double) -> FilterParameter {
    .number(
      "fractionalWidthOfAPixel", default: width, in: 0...1, unit: "fraction of the width",
      "How wide and high a cell is; at least a pixel.")
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
  private let aspect: Float

  /// The cells that are `width` wide in a picture of a size.
  init(width: Float, in size: PixelSize) {
    aspect = Float(size.height) / Float(size.width)
    self.width = max(width, 1 / Float(size.width))
    height = self.width / aspect
  }

  /// The centres of the cells that places lie in.
  @inline(__always)
  func centers(of place: BlockPlace) -> (u: Lanes, v: Lanes) {
    (Self.center(place.u, Lanes(width)), Self.center(place.v, Lanes(height)))
  }

  /// How far places are from the centres of their cells, in fractions of the width.
  @inline(__always)
  func distance(of place: BlockPlace, from center: (u: Lanes, v: Lanes)) -> Lanes {
    let x = place.u - center.u
    let y = (place.v - center.v) * Lanes(aspect)
    return (x * x + y * y).squareRoot
  }

  @inline(__always)
  private static func center(_ place: Lanes, _ side: Lanes) -> Lanes {
    place - (place - side * (place / side).floor) + side * 0.5
  }
}

/// Fills each cell with the bilinear sample at its centre.
struct Pixellate: PictureFilter {
  let cellWidth: Float

  func repeatsRowAbove(_ y: Int, in size: PixelSize) -> Bool {
    Cells(width: cellWidth, in: size).repeatsRowAbove(y, in: size)
  }

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let center = Cells(width: cellWidth, in: picture.size).centers(of: place)
    return picture.sample(u: center.u, v: center.v)
  }
}

extension Cells {
  /// Whether row `y` and the one above it lie in the same cells.
  func repeatsRowAbove(_ y: Int, in size: PixelSize) -> Bool {
    guard y > 0 else { return false }
    let (this, above) = (BlockPlace(x: 0, y: y, in: size), BlockPlace(x: 0, y: y - 1, in: size))
    return centers(of: this).v.values[0] == centers(of: above).v.values[0]
  }
}

/// Fills cells of rings and rays about a centre with the sample at their inner corner, moved outwards
/// by 0.03 half widths as GPUImage does.
struct PolarPixellate: PictureFilter {
  let cell: SIMD2<Float>
  let center: SIMD2<Float>

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let (x, y) = (2 * place.u - Lanes(2 * center.x), 2 * place.v - Lanes(2 * center.y))
    let radius = Self.start((x * x + y * y).squareRoot, Lanes(cell.x)) + 0.03
    let (sine, cosine) = Self.start(y.angle(over: x), Lanes(cell.y)).sineAndCosine
    return picture.sample(
      u: Lanes(center.x) + radius * cosine * 0.5, v: Lanes(center.y) + radius * sine * 0.5)
  }

  /// The start of the step of a length that a value lies in.
  @inline(__always)
  private static func start(_ value: Lanes, _ length: Lanes) -> Lanes {
    value - (value - length * (value / length).floor)
  }
}

/// Shows the sample at the centre of each cell in a disc around it, and black elsewhere.
struct PolkaDot: PictureFilter {
  let cellWidth: Float
  let dotScaling: Float

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let cells = Cells(width: cellWidth, in: picture.size)
    let center = cells.centers(of: place)
    let radius = Lanes(cells.width * 0.5 * dotScaling)
    let isInDot = cells.distance(of: place, from: center) <= radius
    var color = picture.sample(u: center.u, v: center.v)
    color.mapColors { select(isInDot, $0, 0) }
    return color
  }
}

/// Shows a black disc around the centre of each cell, wider where the sample there is darker.
struct Halftone: PictureFilter {
  let cellWidth: Float

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let cells = Cells(width: cellWidth, in: picture.size)
    let center = cells.centers(of: place)
    var color = picture.sample(u: center.u, v: center.v)
    let radius = Lanes(cells.width * 0.5) * (1 - color.luminance)
    color.setGray(select(cells.distance(of: place, from: center) <= radius, 0, 1))
    color.alpha = 1
    return color
  }
}
