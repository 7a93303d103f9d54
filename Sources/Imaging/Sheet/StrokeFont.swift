import Glibc

/// A small font of lines and arcs, drawn with a round pen: the letters a–z, digits and hyphens that
/// names of filters and looks are made of.
///
/// Shapes are in units of a ninth of an ascender's height; y goes down, ascenders from 0, small
/// letters from 3, the base line is 9 and descenders reach 12. Anything else is a space.
enum StrokeFont {
  /// A line from one point to another; a point where they are the same.
  struct Segment {
    let from: SIMD2<Float>
    let to: SIMD2<Float>
  }

  /// The height of ascenders and the depth of the lowest descender, in units.
  static let (ascent, depth): (Float, Float) = (9, 3)
  /// Between two letters, and in place of one.
  private static let (gap, space): (Float, Float) = (2.4, 4)

  /// The segments of a text that begins at 0, and how wide it is.
  static func layOut(_ text: String) -> (segments: [Segment], width: Float) {
    var segments: [Segment] = []
    var x: Float = 0
    for character in text.lowercased() {
      guard let strokes = shapes[character] else {
        x += space
        continue
      }
      let glyph = strokes.flatMap(\.segments)
      let offset = SIMD2(x, 0)
      segments += glyph.map { Segment(from: $0.from + offset, to: $0.to + offset) }
      x += (glyph.map { max($0.from.x, $0.to.x) }.max() ?? 0) + gap
    }
    return (segments, max(0, x - gap))
  }

  /// A stroke of a letter.
  private enum Stroke {
    /// Lines from point to point.
    case lines([SIMD2<Float>])
    /// A part of an ellipse: its centre, radii, and degrees clockwise from the right.
    case arc(SIMD2<Float>, SIMD2<Float>, from: Float, to: Float)

    var segments: [Segment] {
      let points: [SIMD2<Float>]
      switch self {
      case .lines(let corners): points = corners
      case .arc(let center, let radii, let start, let end):
        let steps = max(2, Int(abs(end - start) / 15))
        points = (0...steps).map { step in
          let angle = (start + (end - start) * Float(step) / Float(steps)) * .pi / 180
          return center + radii * SIMD2(cosf(angle), sinf(angle))
        }
      }
      guard points.count > 1 else { return points.map { Segment(from: $0, to: $0) } }
      return zip(points, points.dropFirst()).map { Segment(from: $0, to: $1) }
    }
  }

  private static func line(_ numbers: Float...) -> Stroke {
    .lines(
      stride(from: 0, to: numbers.count - 1, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) })
  }

  private static func arc(
    _ x: Float, _ y: Float, _ rx: Float, _ ry: Float, _ start: Float, _ end: Float
  ) -> Stroke {
    .arc(SIMD2(x, y), SIMD2(rx, ry), from: start, to: end)
  }

  private static let bowl = arc(2.8, 6, 2.8, 3, 0, 360)
  private static let arch = arc(2.6, 5.6, 2.6, 2.6, 180, 360)

  private static let shapes: [Character: [Stroke]] = letters.merging(digits) { first, _ in first }

  private static let letters: [Character: [Stroke]] = [
    "a": [bowl, line(5.6, 3, 5.6, 9)],
    "b": [bowl, line(0, 0, 0, 9)],
    "c": [arc(2.8, 6, 2.8, 3, -45, -315)],
    "d": [bowl, line(5.6, 0, 5.6, 9)],
    "e": [line(0, 6, 5.6, 6), arc(2.8, 6, 2.8, 3, 0, -310)],
    "f": [line(1.2, 9, 1.2, 2), arc(3.2, 2, 2, 2, 180, 300), line(0, 3, 3.4, 3)],
    "g": [bowl, line(5.6, 3, 5.6, 9), arc(2.8, 9, 2.8, 3, 0, 140)],
    "h": [line(0, 0, 0, 9), arch, line(5.2, 5.6, 5.2, 9)],
    "i": [line(0, 3, 0, 9), line(0, 0.6)],
    "j": [line(1.4, 3, 1.4, 10), arc(-0.6, 10, 2, 2, 0, 80), line(1.4, 0.6)],
    "k": [line(0, 0, 0, 9), line(4.6, 3, 0, 6.8), line(1.6, 5.5, 4.8, 9)],
    "l": [line(0, 0, 0, 9)],
    "m": [
      line(0, 3, 0, 9), arc(2, 5, 2, 2, 180, 360), line(4, 5, 4, 9), arc(6, 5, 2, 2, 180, 360),
      line(8, 5, 8, 9),
    ],
    "n": [line(0, 3, 0, 9), arch, line(5.2, 5.6, 5.2, 9)],
    "o": [bowl],
    "p": [bowl, line(0, 3, 0, 12)],
    "q": [bowl, line(5.6, 3, 5.6, 12)],
    "r": [line(0, 3, 0, 9), arc(2.6, 5.6, 2.6, 2.6, 180, 300)],
    "s": [arc(2.3, 4.5, 2.1, 1.5, -30, -270), arc(2.3, 7.5, 2.3, 1.5, -90, 150)],
    "t": [line(1.2, 0.8, 1.2, 7), arc(3.2, 7, 2, 2, 180, 70), line(0, 3, 3.6, 3)],
    "u": [line(0, 3, 0, 6.4), arc(2.6, 6.4, 2.6, 2.6, 180, 0), line(5.2, 3, 5.2, 9)],
    "v": [line(0, 3, 2.7, 9, 5.4, 3)],
    "w": [line(0, 3, 2, 9, 4, 3.6, 6, 9, 8, 3)],
    "x": [line(0, 3, 5, 9), line(5, 3, 0, 9)],
    "y": [line(0, 3, 2.8, 9), line(5.6, 3, 2.2, 11, 0.8, 12)],
    "z": [line(0, 3, 4.8, 3, 0, 9, 4.8, 9)],
    "-": [line(0.3, 6.2, 3.2, 6.2)],
  ]

  private static let digits: [Character: [Stroke]] = [
    "0": [arc(2.8, 4.5, 2.8, 4.5, 0, 360)],
    "1": [line(0, 1.8, 2.2, 0, 2.2, 9)],
    "2": [arc(2.7, 2.7, 2.6, 2.7, 190, 390), line(4.95, 4.05, 0, 9, 5.4, 9)],
    "3": [arc(2.6, 2.3, 2.3, 2.3, -160, 90), arc(2.6, 6.8, 2.7, 2.2, -90, 160)],
    "4": [line(4.2, 9, 4.2, 0, 0, 6.3, 5.6, 6.3)],
    "5": [line(5, 0, 0.8, 0, 0.4, 4.2), arc(2.5, 6, 2.8, 3, -140, 140)],
    "6": [bowl, arc(4.4, 6, 4.4, 6, 180, 270)],
    "7": [line(0, 0, 5.4, 0, 1.8, 9)],
    "8": [arc(2.7, 2.3, 2.3, 2.3, 0, 360), arc(2.7, 6.8, 2.7, 2.2, 0, 360)],
    "9": [arc(2.8, 3, 2.8, 3, 0, 360), arc(1.2, 3, 4.4, 6, 0, 90)],
  ]
}
