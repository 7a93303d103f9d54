/// Filters that place the picture anew: turned, scaled, moved, cut.
extension FilterCatalogue {
  static let framingFilters = [
    FilterDeclaration(
      "transform", "Moves, turns, scales and shears the picture in its frame.",
      like: "TransformFilter",
      [
        .vector(
          "affineTransform", default: [1, 0, 0, 1, 0, 0], unit: "a, b, c, d, tx, ty",
          """
          Moves (x, y) to (ax + cy + tx, bx + dy + ty), half the width being 1, y going down and the \
          centre being 0, 0.
          """),
        .flag(
          "ignoreAspectRatio", default: false, unit: "0 or 1",
          "Whether half the height is 1 too, so that turns shear pictures that are not square."),
        .flag(
          "anchorTopLeft", default: false, unit: "0 or 1",
          "Whether the top left corner is 0, 0, and the whole width 1."),
      ]
    ) { arguments in
      .picture(
        AffineTransform(
          arguments.numbers("affineTransform"),
          ignoresAspect: arguments.flag("ignoreAspectRatio"),
          isAnchoredTopLeft: arguments.flag("anchorTopLeft")))
    },
    FilterDeclaration(
      "crop", "Cuts a rectangle out of the picture.", like: "CropFilter",
      [
        .vector(
          "cropRegion", default: [0, 0, 1, 1], in: 0...1,
          unit: "left, top, width, height as fractions", "The rectangle that is left.")
      ]
    ) { arguments in
      let region = arguments.numbers("cropRegion")
      return .picture(
        Crop(
          origin: SIMD2(region[0], region[1]), extent: SIMD2(region[2], region[3])))
    },
    FilterDeclaration(
      "straighten",
      "Turns the picture, and cuts out the largest upright rectangle that it still fills.",
      [
        .number(
          "angle", default: 0, in: -45...45, unit: "degrees clockwise",
          "How far the picture is turned.")
      ]
    ) { arguments in
      .picture(Straighten(degrees: arguments.number("angle")))
    },
  ]
}

/// Shows the picture moved by an affine transform; what it does not cover is transparent.
struct AffineTransform: PictureFilter {
  /// The inverse's rows, with the offset last; `nil` where the transform leaves no area.
  private let inverse: (x: SIMD3<Float>, y: SIMD3<Float>)?
  private let ignoresAspect: Bool
  /// The origin and the length of a unit along each side, both as fractions of it.
  private let frame: (origin: Float, unit: Float)

  /// Takes a, b, c, d, tx, ty.
  init(_ numbers: [Float], ignoresAspect: Bool, isAnchoredTopLeft: Bool) {
    let (a, b, c, d) = (numbers[0], numbers[1], numbers[2], numbers[3])
    let (tx, ty) = (numbers[4], numbers[5])
    let determinant = a * d - b * c
    let scale = 1 / determinant
    let x = SIMD3(d, -c, c * ty - d * tx) * scale
    let y = SIMD3(-b, a, b * tx - a * ty) * scale
    inverse = determinant != 0 && scale.isFinite ? (x, y) : nil
    self.ignoresAspect = ignoresAspect
    frame = isAnchoredTopLeft ? (0, 1) : (0.5, 0.5)
  }

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    guard let inverse else { return ColorBlock(.zero) }
    let aspect = ignoresAspect ? 1 : picture.aspect
    let x = (place.u - Lanes(frame.origin)) * Lanes(1 / frame.unit)
    let y = (place.v - Lanes(frame.origin)) * Lanes(aspect / frame.unit)
    let across = x * Lanes(inverse.x.x) + y * Lanes(inverse.x.y) + Lanes(inverse.x.z)
    let down = x * Lanes(inverse.y.x) + y * Lanes(inverse.y.y) + Lanes(inverse.y.z)
    let u = across * Lanes(frame.unit) + Lanes(frame.origin)
    let v = down * Lanes(frame.unit / aspect) + Lanes(frame.origin)
    let isCovered = (u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)
    return picture.sample(u: u, v: v).visible(where: isCovered)
  }
}

/// Shows a rectangle of the picture, at a pixel for a pixel, sampled where it is not on pixel borders.
struct Crop: PictureFilter {
  /// The left and top border, as fractions of width and height.
  let origin: SIMD2<Float>
  /// The width and height, as fractions of the picture's.
  let extent: SIMD2<Float>

  func resultSize(for size: PixelSize) -> PixelSize {
    PixelSize(
      width: max(1, Int(extent.x * Float(size.width))),
      height: max(1, Int(extent.y * Float(size.height))))
  }

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    picture.sample(
      u: place.u * Lanes(extent.x) + Lanes(origin.x),
      v: place.v * Lanes(extent.y) + Lanes(origin.y))
  }
}

/// Turns the picture about its middle, and shows the largest upright rectangle inside it.
struct Straighten: PictureFilter {
  private let sine: Float
  private let cosine: Float

  /// Turns by an angle of −45° to 45°, clockwise where it is positive.
  init(degrees: Float) {
    let turn = Lanes(degrees * .pi / 180).sineAndCosine
    (sine, cosine) = (turn.sine.values[0], turn.cosine.values[0])
  }

  /// The rectangle of the greatest area.
  ///
  /// Where the picture is long and the turn great, two of its corners lie on the long sides and its
  /// area is that of half the strip between these; else all four corners lie on sides.
  func resultSize(for size: PixelSize) -> PixelSize {
    let (width, height) = (Float(size.width), Float(size.height))
    let (sine, cosine) = (abs(sine), cosine)
    let (long, short) = (max(width, height), min(width, height))
    var inside: SIMD2<Float>
    if short <= 2 * sine * cosine * long {
      inside = SIMD2(short / (2 * sine), short / (2 * cosine))
      if width < height { inside = SIMD2(inside.y, inside.x) }
    } else {
      let scale = 1 / (cosine * cosine - sine * sine)
      inside = SIMD2(width * cosine - height * sine, height * cosine - width * sine) * scale
    }
    // A hair more, so that a whole number that came out a little less stays what it is.
    return PixelSize(
      width: min(size.width, max(1, Int(inside.x + 0.001))),
      height: min(size.height, max(1, Int(inside.y + 0.001))))
  }

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let result = resultSize(for: picture.size)
    let x = (place.u - 0.5) * Lanes(Float(result.width))
    let y = (place.v - 0.5) * Lanes(Float(result.height))
    let u = (x * Lanes(cosine) + y * Lanes(sine)) * Lanes(1 / Float(picture.size.width))
    let v = (y * Lanes(cosine) - x * Lanes(sine)) * Lanes(1 / Float(picture.size.height))
    return picture.sample(u: u + 0.5, v: v + 0.5)
  }
}
