/// Filters that move the pixels of the picture about.
extension FilterCatalogue {
  static let warpFilters = [
    FilterDeclaration(
      "swirl", "Twists a disc of the picture.", like: "SwirlFilter",
      [
        .number(
          "radius", default: 0.5, in: 0...1, unit: "fraction of the width and of the height",
          "How far the disc reaches from its centre."),
        .number(
          "angle", default: 1, from: 0, unit: "8 radians at the centre",
          "How far the centre is turned; less towards the rim."),
        .point("center", "The centre of the disc."),
      ]
    ) { arguments in
      .picture(
        Swirl(
          center: arguments.point("center"), radius: arguments.number("radius"),
          angle: arguments.number("angle")))
    },
    FilterDeclaration(
      "bulge", "Blows a disc of the picture up, or draws it in.", like: "BulgeDistortionFilter",
      [
        .number(
          "radius", default: 0.25, in: 0...1, unit: "fraction of the width",
          "How far the disc reaches from its centre."),
        .number(
          "scale", default: 0.5, in: -1...1, unit: "fraction",
          "How much the centre grows; below 0 it shrinks."),
        .point("center", "The centre of the disc."),
      ]
    ) { arguments in
      .picture(
        Bulge(
          center: arguments.point("center"), radius: arguments.number("radius"),
          scale: arguments.number("scale")))
    },
    FilterDeclaration(
      "pinch", "Draws a disc of the picture to its centre, or away from it.",
      like: "PinchDistortionFilter",
      [
        .number(
          "radius", default: 1, in: 0...2, unit: "fraction of the width",
          "How far the disc reaches from its centre."),
        .number(
          "scale", default: 0.5, in: -2...2, unit: "fraction",
          "How much the centre shrinks; below 0 it grows."),
        .point("center", "The centre of the disc."),
      ]
    ) { arguments in
      .picture(
        Pinch(
          center: arguments.point("center"), radius: arguments.number("radius"),
          scale: arguments.number("scale")))
    },
    FilterDeclaration(
      "stretch", "Enlarges the middle and keeps the borders where they are.",
      like: "StretchDistortionFilter", [.point("center", "What is enlarged most.")]
    ) { arguments in
      .picture(Stretch(center: arguments.point("center")))
    },
  ]
}

/// Turns places about a centre, by an angle that falls to nothing with the square of the distance.
struct Swirl: PictureFilter {
  let center: SIMD2<Float>
  let radius: Float
  let angle: Float

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let (x, y) = (place.u - Lanes(center.x), place.v - Lanes(center.y))
    let distance = (x * x + y * y).squareRoot
    let share = (Lanes(radius) - distance) / Lanes(max(radius, 1e-12))
    // Outside the disc the turn is none.
    let turn = select(distance < Lanes(radius), share * share * Lanes(8 * angle), 0)
    let (sine, cosine) = turn.sineAndCosine
    return picture.sample(
      u: x * cosine - y * sine + Lanes(center.x), v: x * sine + y * cosine + Lanes(center.y))
  }
}

/// Scales places about a centre by (1 − scale·(1 − d/radius))², d being their distance from it.
struct Bulge: PictureFilter {
  let center: SIMD2<Float>
  let radius: Float
  let scale: Float

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let (x, y) = (place.u - Lanes(center.x), place.v - Lanes(center.y))
    let high = y * Lanes(picture.aspect)
    let distance = (x * x + high * high).squareRoot
    let depth = (Lanes(radius) - distance) / Lanes(max(radius, 1e-12))
    let root = 1 - select(distance < Lanes(radius), depth, 0) * Lanes(scale)
    let factor = root * root
    return picture.sample(u: x * factor + Lanes(center.x), v: y * factor + Lanes(center.y))
  }
}

/// Scales places about a centre by 1 + scale·(1 − 2d), d being their distance from it.
struct Pinch: PictureFilter {
  let center: SIMD2<Float>
  let radius: Float
  let scale: Float

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let (x, y) = (place.u - Lanes(center.x), place.v - Lanes(center.y))
    let high = place.squareV(aspect: picture.aspect) - Lanes(center.y)
    let distance = (x * x + high * high).squareRoot
    let growth = select(distance < Lanes(radius), (1 - 2 * distance) * Lanes(scale), 0)
    return picture.sample(
      u: x + x * growth + Lanes(center.x), v: y + y * growth + Lanes(center.y))
  }
}

/// Halves the distances from the centre lines, and less so beyond half way to the borders.
struct Stretch: PictureFilter {
  let center: SIMD2<Float>

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    @inline(__always) func stretched(_ place: Lanes, _ center: Float) -> Lanes {
      let offset = place - Lanes(center)
      let distance = 2 * offset.magnitude
      return offset * (0.5 + 0.5 * smoothstep(0.25, 0.5, distance)) + Lanes(center)
    }
    return picture.sample(u: stretched(place.u, center.x), v: stretched(place.v, center.y))
  }
}

extension BlockPlace {
  /// The place down in a unit as long as that of `u`, measured so that the middle stays 0.5.
  @inline(__always)
  func squareV(aspect: Float) -> Lanes { v * Lanes(aspect) + Lanes(0.5 - 0.5 * aspect) }
}
