/// Filters of single pixels that depend on where a pixel is.
extension FilterCatalogue {
  static let placeFilters = [
    FilterDeclaration(
      "vignette", "Darkens the corners, or tints them.", like: "VignetteFilter",
      [
        .point("vignetteCenter", "What stays clear."),
        .color("vignetteColor", default: [0, 0, 0], "What the corners fade to."),
        .number(
          "vignetteStart", default: 0.3, in: 0...1, unit: "distance from the centre",
          "Where the fading begins."),
        .number(
          "vignetteEnd", default: 0.75, in: 0...1, unit: "distance from the centre",
          "Where the colour is reached."),
      ]
    ) { arguments in
      .point(
        Vignette(
          center: arguments.point("vignetteCenter"), color: arguments.color("vignetteColor"),
          start: arguments.number("vignetteStart"), end: arguments.number("vignetteEnd")))
    },
    FilterDeclaration(
      "haze", "Takes white haze away, or adds it, more or less of it from top to bottom.",
      like: "HazeFilter",
      [
        .number(
          "distance", default: 0.2, in: -0.3...0.3, unit: "fraction",
          "How much haze is taken away; below 0 it is added."),
        .number(
          "slope", default: 0, in: -0.3...0.3, unit: "fraction over the height",
          "How much more of it at the bottom than at the top."),
      ]
    ) { arguments in
      .point(Haze(distance: arguments.number("distance"), slope: arguments.number("slope")))
    },
  ]
}

/// Mixes a colour in by the smooth step over the distance from a centre.
///
/// Distances are in fractions of width and height, so that the rings are as wide as the picture.
struct Vignette: PointFilter {
  let center: SIMD2<Float>
  let color: SIMD3<Float>
  let start: Float
  let end: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let (x, y) = (place.u - Lanes(center.x), place.v - Lanes(center.y))
    let share = smoothstep(Lanes(start), Lanes(end), (x * x + y * y).squareRoot)
    block.red = mix(block.red, Lanes(color.x), share)
    block.green = mix(block.green, Lanes(color.y), share)
    block.blue = mix(block.blue, Lanes(color.z), share)
  }
}

/// (x − d)/(1 − d) with d = distance + slope·v, of all channels, alpha among them.
struct Haze: PointFilter {
  let distance: Float
  let slope: Float

  static var changesAlpha: Bool { true }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let haze = place.v * Lanes(slope) + Lanes(distance)
    let scale = 1 / (1 - haze)
    block.mapColors { ($0 - haze) * scale }
    block.alpha = (block.alpha - haze) * scale
  }
}
