import Glibc

/// Solid paint whose colour is near the screen's.
extension TruthScene {
  static let nearKey = TruthScene(
    "near-key", "flat pinks, purples, lilacs and greys", hasScreenHues: true
  ) {
    layer, time in
    let colors: [Color] = [
      Color(0.98, 0.55, 0.72), Color(0.68, 0.16, 0.50), Color(0.50, 0.24, 0.72),
      Color(0.86, 0.12, 0.30), Color(0.24, 0.16, 0.86), Color(0.88, 0.78, 0.88),
      Color(0.28, 0.07, 0.27), Color(0.96, 0.88, 0.95), Color(0.58, 0.44, 0.60),
      Color(0.97, 0.44, 0.36), Color(0.38, 0.42, 0.92), Color(0.50, 0.50, 0.50),
    ]
    for (index, color) in colors.enumerated() {
      let x = Float(index % 4) * 32 - 48 + 2 * sinf(2 * .pi * time)
      let y = Float(index / 4) * 31 - 31
      let turn = Float(index) * 0.4 + 0.4 * time
      let half = Point(9, 9) * layer.unit
      let form =
        index.isMultiple(of: 2)
        ? Form.box(layer.place(x, y), half, round: 2 * layer.unit, angle: turn)
        : Form.disc(layer.place(x, y), half.x)
      layer.fill(form, color)
    }
  }

  static let pinks = TruthScene(
    "pinks", "an outlined flower and a shaded heart in pink and purple",
    hasScreenHues: true
  ) {
    layer, time in
    let unit = layer.unit
    let ink = Color(0.20, 0.05, 0.18)
    let flower = layer.place(-28, 0)
    layer.fill(
      .curve(flower, layer.place(-32, 24), layer.place(-24, 46), width: 2.4 * unit),
      Color(0.15, 0.45, 0.18))
    for petal in 0..<7 {
      let angle = Float(petal) * 2 * .pi / 7 + 0.3 * sinf(2 * .pi * time)
      let center = flower + Point(length: 13 * unit, angle: angle)
      layer.fill(.disc(center, 8.4 * unit), ink)
      layer.fill(.disc(center, 7.8 * unit)) { point in
        let share = unitRange((point - flower).length / (21 * unit))
        return blend(Color(0.72, 0.14, 0.52), Color(0.99, 0.70, 0.86), share)
      }
    }
    layer.fill(.disc(flower, 7 * unit), Color(0.97, 0.84, 0.30), outline: ink, width: 0.6 * unit)
    let beat = 1 + 0.04 * sinf(4 * .pi * time)
    let middle = layer.place(30, -2)
    let color = { (point: Point) -> Color in
      let share = unitRange((point - middle - Point(-8, -10) * unit).length / (34 * unit))
      return blend(Color(0.98, 0.62, 0.82), Color(0.46, 0.10, 0.46), share)
    }
    // Two lobes and a square on its tip, without an outline.
    for side: Float in [-1, 1] {
      let lobe = middle + Point(side * 9.2, -8) * unit * beat
      layer.fill(.disc(lobe, 13 * unit * beat), color: color)
    }
    let square = Point(13, 13) * unit * beat
    layer.fill(.box(middle + Point(0, 1.2) * unit, square, angle: .pi / 4), color: color)
    layer.fill(
      .line([middle + Point(-14, -14) * unit, middle + Point(-8, -17) * unit], width: 2 * unit),
      Color(1, 0.95, 0.98))
  }
}
