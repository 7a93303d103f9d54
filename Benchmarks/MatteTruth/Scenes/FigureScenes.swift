import Glibc
import SampleScenes

/// Outlined figures: at rest, running past an open shutter, before an uneven wall, and large.
extension TruthScene {
  static let figure = TruthScene("figure", "an outlined robot") { layer, time in
    paintRobot(on: &layer, time: time, shift: 0)
  }

  static let motion = TruthScene("motion", "the robot runs past an open shutter") {
    scene, moment in
    Layer.exposed(width: scene.width, height: scene.height, count: 24) { layer, share in
      let time = moment.time + share * moment.frameTime / 2
      paintRobot(on: &layer, time: time, shift: 42 * sinf(2 * .pi * (time - 0.2)))
    }.picture()
  }

  static let uneven = TruthScene(
    "uneven", "the robot and tufts of grass before a dull wall, unevenly lit, with grain",
    light: .uneven
  ) { layer, time in
    let noise = Noise(51)
    for blade in 0..<60 {
      let root = layer.place(noise.value(blade, from: -62, to: 62), 46)
      let lean = noise.value(blade, 1, from: -7, to: 7) + 2 * sinf(2 * .pi * time + Float(blade))
      let tip = root + Point(lean, -noise.value(blade, 2, from: 8, to: 20)) * layer.unit
      let color = blend(Color(0.05, 0.28, 0.12), Color(0.55, 0.62, 0.15), noise.value(blade, 3))
      layer.fill(
        .curve(root, root + Point(0, -6) * layer.unit, tip, width: 3, tip: 0.2), color)
    }
    paintRobot(on: &layer, time: time, shift: 0)
  }

  static let mill = TruthScene("mill", "a large sprite", width: 1400, height: 1100) {
    scene, moment in
    MillScene(width: scene.width, height: scene.height, frameCount: 70).frame(moment.index)
  }

  /// A robot of flat parts with dark outlines, and a thin aerial.
  private static func paintRobot(on layer: inout Layer, time: Float, shift: Float) {
    let unit = layer.unit
    let swing = sinf(2 * .pi * time * 2)
    func at(_ x: Float, _ y: Float) -> Point {
      layer.place(x + shift + 6 * sinf(2 * .pi * time), y + abs(swing))
    }
    let ink = Color(0.07, 0.07, 0.12)
    let line = max(1.2, 0.55 * unit)
    let (steel, shade) = (Color(0.62, 0.70, 0.76), Color(0.36, 0.44, 0.55))
    for side: Float in [-1, 1] {
      let knee = at(side * 6 + side * swing * 2, 30)
      let leg = Form.line(
        [at(side * 6, 18), knee, at(side * 7 + swing * 6, 40)], width: 4.4 * unit)
      layer.fill(leg, shade, outline: ink, width: line)
      let hand = at(side * 26, 4 - side * swing * 8)
      let arm = Form.line([at(side * 13, 0), at(side * 20, 7), hand], width: 4 * unit)
      layer.fill(arm, steel, outline: ink, width: line)
      layer.fill(.disc(hand, 3.6 * unit), Color(0.95, 0.55, 0.15), outline: ink, width: line)
    }
    let body = Form.box(at(0, 7), Point(14, 13) * unit, round: 3 * unit)
    layer.fill(body.grown(by: line), ink)
    layer.fill(body) { blend(Color(0.93, 0.80, 0.25), Color(0.78, 0.50, 0.10), ($0.y / 480)) }
    layer.fill(.box(at(0, 10), Point(8, 5) * unit, round: unit), Color(0.12, 0.45, 0.40))
    layer.fill(.ring(at(0, 10), 3 * unit, width: 0.7 * unit), Color(0.85, 0.95, 0.90))
    layer.fill(.line([at(0, -24), at(2 * swing, -40)], width: 1.4), ink)
    layer.fill(.disc(at(2 * swing, -41), 1.9 * unit), Color(0.85, 0.12, 0.10))
    let head = Form.box(at(0, -16), Point(11, 8.5) * unit, round: 4 * unit, angle: 0.06 * swing)
    layer.fill(head, steel, outline: ink, width: line)
    for side: Float in [-1, 1] {
      layer.fill(.disc(at(side * 4.4, -17), 2.7 * unit), Color(1, 1, 1), outline: ink, width: 1)
      layer.fill(.disc(at(side * 4.4 + swing, -17), 1.1 * unit), Color(0.1, 0.2, 0.7))
    }
    layer.fill(.line([at(-4, -11.5), at(4, -11.5)], width: 0.9 * unit), ink)
  }
}
