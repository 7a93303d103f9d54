/// Filters that move the pixels of the picture about.
extension FilterCatalogue {
  static let warpFilters = [
    FilterDeclaration(
      "swirl", "Twists a disc of the picture.", like: "SwirlFilter",
      [
        .number("radius", default: 0.5, in: 0...1, unit: "fraction of the width and of the height"),
        .number("angle", default: 1, from: 0, unit: "8 radians at the centre"), .point("center"),
      ]
    ) { arguments in
      .picture(
        Swirl(
          center: arguments.point("center"), radius: arguments.number("radius"),
          angle: arguments.number("angle")))
    }
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
