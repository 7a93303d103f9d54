import Glibc

/// Things that light goes through: glass, shadows, smoke.
extension TruthScene {
  static let glass = TruthScene("glass", "panes of 20 to 70 %, glints, and a soft shadow") {
    layer, time in
    let unit = layer.unit
    layer.fill(.haze(layer.place(0, 40), Point(52, 9) * unit), Color(0, 0, 0), opacity: 0.55)
    let panes: [(color: Color, opacity: Float)] = [
      (Color(0.80, 0.93, 1), 0.30), (Color(1, 1, 1), 0.50), (Color(0.06, 0.06, 0.08), 0.40),
      (Color(0.98, 0.86, 0.55), 0.50), (Color(0.40, 0.70, 0.58), 0.20),
      (Color(0.45, 0.55, 0.82), 0.70),
    ]
    for (index, pane) in panes.enumerated() {
      let x = Float(index % 3 - 1) * 36 + 2 * sinf(2 * .pi * time + Float(index))
      let y: Float = index < 3 ? -24 : 12
      let turn = 0.15 * sinf(2 * .pi * time + Float(index) * 2)
      let center = layer.place(x, y)
      layer.fill(
        .box(center, Point(13, 14) * unit, round: 4 * unit, angle: turn), pane.color,
        opacity: pane.opacity)
      let glint = [center + Point(-7, -8) * unit, center + Point(-7, 3) * unit]
      layer.fill(.line(glint, width: 1.6 * unit), Color(1, 1, 1), opacity: 0.8)
    }
    // Two panes over each other, and one before something solid.
    layer.fill(.disc(layer.place(-18, -6), 11 * unit), Color(0.9, 0.95, 1), opacity: 0.35)
    layer.fill(.disc(layer.place(18, -6), 5 * unit), Color(0.75, 0.2, 0.1))
    layer.fill(.disc(layer.place(18, -6), 9 * unit), Color(0.9, 0.95, 1), opacity: 0.35)
  }

  static let smoke = TruthScene("smoke", "drifting smoke, light and dark, of all densities") {
    layer, time in
    let unit = layer.unit
    for (index, color) in [Color(0.88, 0.88, 0.90), Color(0.16, 0.15, 0.17)].enumerated() {
      let noise = Noise(71 + index)
      let center = layer.place(index == 0 ? -27 : 30, 0)
      let radii = Point(30, 44) * unit
      let form = Form.veil(low: center - radii, high: center + radii) { point in
        let local = (point - center) / unit
        let drift = Point(local.x, local.y + 40 * time) / 14
        let cloud = noise.cloud(at: drift, octaves: 5)
        let body = 1 - smoothClimb((local / Point(30, 44)).length)
        return 0.95 * smoothClimb((cloud - 0.32) * 3) * body
      }
      layer.fill(form, color)
    }
  }
}
