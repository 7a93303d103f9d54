import Glibc

/// Things that are thinner than a pixel or not much thicker: hair, fur, letters.
extension TruthScene {
  static let hair = TruthScene("hair", "curls and flyaway hairs of 0.5 to 3 px") { layer, time in
    let (noise, unit) = (Noise(5), layer.unit)
    let tones: [Color] = [
      Color(0.09, 0.06, 0.05), Color(0.42, 0.24, 0.11), Color(0.86, 0.72, 0.42),
      Color(0.80, 0.79, 0.78), Color(0.45, 0.10, 0.06),
    ]
    for strand in 0..<170 {
      let angle = noise.value(strand, from: -2.9, to: 0.4)
      let reach = noise.value(strand, 1, from: 20, to: 38)
      let curl = noise.value(strand, 2, from: -0.7, to: 0.7)
      let sway = 0.12 * sinf(2 * .pi * time + noise.value(strand, 3) * 6)
      let root = layer.place(0, 14) + Point(length: 12 * unit, angle: angle)
      let control = root + Point(length: reach * 0.6 * unit, angle: angle)
      let tip = root + Point(length: reach * unit, angle: angle + curl + sway)
      let width = noise.value(strand, 4, from: 0.5, to: 3)
      layer.fill(.curve(root, control, tip, width: width, tip: 0.35), tones[strand % tones.count])
    }
    let lamp = layer.place(-6, 8)
    layer.fill(.disc(layer.place(0, 16), 15 * unit)) { point in
      let light = unitRange((point - lamp).length / (26 * unit))
      return blend(Color(0.95, 0.78, 0.66), Color(0.62, 0.40, 0.32), light)
    }
  }

  static let fur = TruthScene("fur", "a ball of dense short fur") { layer, time in
    let (noise, unit) = (Noise(23), layer.unit)
    let center = layer.place(3 * sinf(2 * .pi * time), 0)
    layer.fill(.disc(center, 21 * unit), Color(0.36, 0.22, 0.12))
    for strand in 0..<900 {
      let angle = Float(strand) * 2.399_963  // The golden angle spreads them evenly.
      let start = noise.value(strand, from: 12, to: 21)
      let lean = noise.value(strand, 1, from: -0.45, to: 0.45) + 0.08 * sinf(2 * .pi * time)
      let root = center + Point(length: start * unit, angle: angle)
      let tip =
        root + Point(length: noise.value(strand, 2, from: 5, to: 11) * unit, angle: angle + lean)
      let tone = blend(Color(0.30, 0.17, 0.08), Color(0.88, 0.70, 0.46), noise.value(strand, 3))
      layer.fill(
        .line([root, tip], width: noise.value(strand, 4, from: 0.8, to: 2.2), tip: 0.3), tone)
    }
    for side: Float in [-1, 1] {
      layer.fill(.disc(center + Point(side * 8, -3) * unit, 3.2 * unit), Color(0.04, 0.03, 0.03))
      layer.fill(.disc(center + Point(side * 8 - 1, -4.2) * unit, unit), Color(1, 1, 1))
    }
  }

  static let text = TruthScene("text", "thin letters of 0.7 to 3 px, bright and dark") {
    layer, time in
    let rows: [(height: Float, width: Float, color: Color)] = [
      (4, 0.7, Color(1, 1, 1)), (4, 1, Color(0.08, 0.08, 0.10)), (6, 1.2, Color(0.95, 0.85, 0.2)),
      (8, 1.6, Color(0.1, 0.5, 0.9)), (12, 2.2, Color(1, 1, 1)), (14, 3, Color(0.1, 0.1, 0.1)),
    ]
    var top: Float = -42
    for (index, row) in rows.enumerated() {
      let drift = 3 * sinf(2 * .pi * time + Float(index))
      write(row: index, on: &layer, at: Point(-58 + drift, top), height: row.height) {
        $0.fill(.line($1, width: row.width), row.color)
      }
      top += row.height * 1.55
    }
  }

  /// The strokes of a few capitals, in a box one high and 0.6 wide.
  private static let letters: [[[Point]]] = [
    [[Point(0, 1), Point(0.3, 0), Point(0.6, 1)], [Point(0.12, 0.6), Point(0.48, 0.6)]],
    [
      [Point(0.6, 0), Point(0, 0), Point(0, 1), Point(0.6, 1)], [Point(0, 0.5), Point(0.45, 0.5)],
    ],
    [[Point(0, 1), Point(0, 0), Point(0.6, 1), Point(0.6, 0)]],
    [[Point(0, 0), Point(0, 1)], [Point(0.6, 0), Point(0, 0.5), Point(0.6, 1)]],
    [[Point(0, 0), Point(0.15, 1), Point(0.3, 0.3), Point(0.45, 1), Point(0.6, 0)]],
    [
      [
        Point(0.3, 0), Point(0.55, 0.15), Point(0.6, 0.5), Point(0.55, 0.85), Point(0.3, 1),
        Point(0.05, 0.85), Point(0, 0.5), Point(0.05, 0.15), Point(0.3, 0),
      ]
    ],
  ]

  /// A line of letters that fills the width; `place` and `height` are in units.
  private static func write(
    row: Int, on layer: inout Layer, at place: Point, height: Float,
    stroke: (inout Layer, [Point]) -> Void
  ) {
    var x = place.x
    var index = row
    while x < 52 {
      for line in letters[index % letters.count] {
        stroke(&layer, line.map { layer.place(x + $0.x * height, place.y + $0.y * height) })
      }
      x += height * 0.85
      index += 1 + row
    }
  }
}
