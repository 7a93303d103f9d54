/// Filters that draw a pattern of lines or noise.
extension FilterCatalogue {
  static let patternFilters = [
    FilterDeclaration(
      "crosshatch", "Draws the picture in crossing lines, more of them where it is darker.",
      like: "CrosshatchFilter",
      [
        .number(
          "crossHatchSpacing", default: 0.03, in: 0...1, unit: "fraction of the width",
          "The distance from line to line; at least a pixel."),
        .number(
          "lineWidth", default: 0.003, in: 0...1, unit: "fraction of the width",
          "How wide a line is."),
      ]
    ) { arguments in
      .rows(
        Crosshatch(
          spacing: arguments.number("crossHatchSpacing"),
          lineWidth: arguments.number("lineWidth")))
    },
    FilterDeclaration(
      "perlin-noise", "Fills the frame with clouds of noise; of the picture only the size is left.",
      like: "PerlinNoiseFilter",
      [
        .number(
          "scale", default: 8, from: 0, unit: "cells over a side",
          "How fine the noise is."),
        .color("colorStart", default: [0, 0, 0, 1], "The colour of the deepest places."),
        .color("colorFinish", default: [1, 1, 1, 1], "The colour of the highest places."),
      ]
    ) { arguments in
      .point(
        PerlinNoise(
          scale: arguments.number("scale"), low: arguments.colorWithAlpha("colorStart"),
          high: arguments.colorWithAlpha("colorFinish")))
    },
  ]
}

/// Draws up to four sets of diagonal lines in black on white, each where the luminance is below a
/// limit of its own.
struct Crosshatch: RowFilter, RowWorker {
  let spacing: Float
  let lineWidth: Float

  func reach(in size: PixelSize) -> RowReach { .none }

  mutating func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let size = window.size
    let source = window.row(0)
    let spacing = Lanes(max(spacing, 1 / Float(size.width)))
    let width = Lanes(lineWidth)
    @inline(__always) func isLine(_ place: Lanes) -> LaneMask {
      place - spacing * (place / spacing).floor <= width
    }
    row.fillBlocks { x in
      let place = BlockPlace(x: x, y: y, in: size)
      let luminance = ColorBlock(words: source.words(at: x)).luminance
      let (rising, falling) = (place.u + place.v, place.u - place.v)
      let half = spacing * 0.5
      let first = (luminance < 1) & isLine(rising)
      let second = (luminance < 0.75) & isLine(falling)
      let third = (luminance < 0.5) & isLine(rising - half)
      let fourth = (luminance < 0.3) & isLine(falling - half)
      var color = ColorBlock(SIMD4(1, 1, 1, 1))
      color.setGray(select(first | second | third | fourth, 0, 1))
      return color.words
    }
  }
}

/// Classic gradient noise in two dimensions (Perlin 2002), with the hash of Gustavson and McEwan,
/// "Efficient computational noise in GLSL" (2012), which takes arithmetic only.
struct PerlinNoise: PointFilter {
  let scale: Float
  let low: SIMD4<Float>
  let high: SIMD4<Float>

  static var changesAlpha: Bool { true }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let share = (noise(place.u * Lanes(scale), place.v * Lanes(scale)) + 1) * 0.5
    @inline(__always) func channel(_ low: Float, _ high: Float) -> Lanes {
      Lanes(low) + Lanes(high - low) * share
    }
    block = ColorBlock(
      red: channel(low.x, high.x), green: channel(low.y, high.y), blue: channel(low.z, high.z),
      alpha: channel(low.w, high.w))
  }

  /// The noise −1…1 at a place: the gradients of the four corners of its cell, mixed smoothly.
  @inline(__always)
  private func noise(_ x: Lanes, _ y: Lanes) -> Lanes {
    let (column, row) = (x.floor, y.floor)
    let (right, down) = (x - column, y - row)
    let (here, next) = (
      Self.permuted(Self.wrapped(column)), Self.permuted(Self.wrapped(column + 1))
    )
    let (above, below) = (Self.wrapped(row), Self.wrapped(row + 1))
    let fade = Self.faded(right)
    let top = mix(
      Self.slope(here + above, right, down), Self.slope(next + above, right - 1, down), fade)
    let bottom = mix(
      Self.slope(here + below, right, down - 1), Self.slope(next + below, right - 1, down - 1),
      fade)
    return 2.3 * mix(top, bottom, Self.faded(down))
  }

  /// The height over a plane that rises in the direction which a corner's hash gives.
  @inline(__always)
  private static func slope(_ hash: Lanes, _ right: Lanes, _ down: Lanes) -> Lanes {
    let turn = 2 * (permuted(hash) * (1 / 41)).fraction - 1
    let y = turn.magnitude - 0.5
    let x = turn - (turn + 0.5).floor
    // The first terms of the inverse length, which is near enough to 1.
    let norm = 1.79284291400159 - 0.85373472095314 * (x * x + y * y)
    return norm * (x * right + y * down)
  }

  /// A number of 0…288 for one of them: (34x + 1)x modulo 289.
  @inline(__always)
  private static func permuted(_ x: Lanes) -> Lanes { wrapped((x * 34 + 1) * x) }

  @inline(__always)
  private static func wrapped(_ x: Lanes) -> Lanes { x - (x * (1 / 289)).floor * 289 }

  /// 6t⁵ − 15t⁴ + 10t³, which begins and ends with no slope and no curvature.
  @inline(__always)
  private static func faded(_ t: Lanes) -> Lanes { t * t * t * (t * (t * 6 - 15) + 10) }
}
