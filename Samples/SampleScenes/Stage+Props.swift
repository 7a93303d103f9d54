import Glibc

/// What turns, floats and flies about the mill.
extension Stage {
  private var outlineWidth: Float { max(1, 0.5 * unit) }

  /// The hand that holds the balloon's string.
  var balloonHand: Point { onMill(-19, 4 + wave(1, delay: 0.2)) }
  /// The hand that holds the key.
  var keyHand: Point { onMill(20, 6 + 1.5 * wave(2)) }

  /// Four sails of canvas on a lattice of laths, blurred as they turn.
  func paintSails(on canvas: inout Canvas) {
    let hub = onMill(0, -16)
    let part = Region(from: hub, to: hub, margin: 33 * unit)
    canvas.exposed(over: part, samples: 6) { layer, share in
      for quarter in 0..<4 {
        let angle = 2 * .pi * moment(share) + Float(quarter) * .pi / 2 + 0.6
        paintSail(on: &layer, hub: hub, angle: angle)
      }
    }
  }

  private func paintSail(on canvas: inout Canvas, hub: Point, angle: Float) {
    let along = Point(0, -unit).turned(by: angle)
    let across = Point(unit, 0).turned(by: angle)
    func point(_ reach: Float, _ side: Float) -> Point { hub + along * reach + across * side }
    func lath(_ start: Point, _ end: Point, _ thickness: Float) {
      let shape = Capsule(from: start, to: end, thickness: thickness)
      canvas.fill(shape, .solid(Palette.wood))
    }
    let cloth = RoundedBox(
      center: point(20, 2.4), half: SIMD2(1.9, 9.6) * unit, radius: 0.6 * unit, angle: angle)
    canvas.fill(cloth, .solid(Palette.canvas), opacity: 0.92)
    for step in 0...6 {
      let reach = 10.5 + Float(step) * 3.2
      lath(point(reach, -4.5), point(reach, 4.5), step.isMultiple(of: 2) ? 1.5 : 0.8)
    }
    lath(point(10.5, -4.5), point(29.7, -4.5), 0.8)
    lath(point(10.5, 4.5), point(29.7, 4.5), 1.2)
    lath(point(0, 0), point(31, 0), max(2, 1.1 * unit))
  }

  /// A balloon that lets half the light through, on a string one pixel thick.
  func paintBalloon(on canvas: inout Canvas) {
    let drift = SIMD2(2.5 * wave(1, delay: 0.1), 1.5 * wave(2, delay: 0.3))
    let center = place(-42 + drift.x, -22 + drift.y)
    let knot = center + SIMD2(0.6, 12.6) * unit
    let string = Strand(
      from: balloonHand, towards: place(-30, 12 + 3 * wave(2)), to: knot, thickness: 1)
    canvas.fill(string, .solid(Palette.ink))
    let skin = Ellipse(center: center, radii: SIMD2(9.6, 11.6) * unit)
    let light = Paint.radial(
      inner: Palette.wing, outer: Palette.balloon, center: center + SIMD2(-3, -4) * unit,
      radius: 14 * unit)
    canvas.fill(skin, light, opacity: 0.5)
    canvas.fill(
      Ring(center: center + SIMD2(0, 0.2) * unit, radius: 7.4 * unit, thickness: 0.6),
      .solid(Palette.canvas), opacity: 0.35)
    let glint = Ellipse(
      center: center + SIMD2(-3.6, -5) * unit, radii: SIMD2(1.4, 2.6) * unit, angle: 0.5)
    canvas.fill(glint, .solid(Palette.canvas), opacity: 0.85, softness: unit)
    canvas.fill(Ellipse(center: knot, radii: SIMD2(1.3, 0.9) * unit), .solid(Palette.roofShade))
  }

  /// A golden key with a hole in its handle.
  func paintKey(on canvas: inout Canvas) {
    let tilt = 0.35 + 0.18 * wave(2, delay: 0.1)
    func point(_ x: Float, _ y: Float) -> Point {
      keyHand + (Point(x, y) * unit).turned(by: tilt)
    }
    let gold = Paint.linear(
      from: Palette.gold, to: Palette.goldShade, start: point(-4, -8), end: point(6, 4))
    let bow = Ring(center: point(0, 6.5), radius: 4.6 * unit, thickness: 2.2 * unit)
    let shaft = Capsule(from: point(0, 1.8), to: point(0, -17), thickness: 2.4 * unit)
    let teeth = [(-15, 5), (-11, 3.6)].map { (y: Float, reach: Float) in
      RoundedBox(
        center: point(reach / 2, y), half: SIMD2(reach / 2, 1.2) * unit, radius: 0.4 * unit,
        angle: tilt)
    }
    for part in teeth { canvas.fill(part, gold, outline: .solid(Palette.ink), width: outlineWidth) }
    canvas.fill(bow, gold, outline: .solid(Palette.ink), width: outlineWidth)
    canvas.fill(shaft, gold, outline: .solid(Palette.ink), width: outlineWidth)
    for part in teeth { canvas.fill(part, gold) }
    let hand = Ellipse(center: keyHand, radius: 2.7 * unit)
    canvas.fill(hand, .solid(Palette.plaster), outline: .solid(Palette.ink), width: outlineWidth)
  }

  /// A bee that flies a figure of eight, twice in the loop, with clear wings.
  func paintBee(on canvas: inout Canvas) {
    let reach = Region(from: beePlace(time), to: beePlace(moment(1)), margin: 9 * unit)
    canvas.exposed(over: reach, samples: 8) { layer, share in
      paintBee(on: &layer, at: beePlace(moment(share)), flap: sin(share * 2 * .pi))
    }
  }

  private func beePlace(_ time: Float) -> Point {
    place(36 + 13 * sin(4 * .pi * time), -26 + 8 * sin(8 * .pi * time))
  }

  private func paintBee(on canvas: inout Canvas, at center: Point, flap: Float) {
    func point(_ x: Float, _ y: Float) -> Point { center + Point(x, y) * unit }
    for (x, lean) in [(-1.6, -0.5), (1.4, 0.4)] as [(Float, Float)] {
      let wing = Ellipse(
        center: point(x, -3.9), radii: SIMD2(1.7, 3.2) * unit, angle: lean + 0.25 * flap)
      canvas.fill(wing, .solid(Palette.wing), opacity: 0.55)
    }
    let body = Ellipse(center: center, radii: SIMD2(4.2, 2.9) * unit)
    canvas.fill(body, .solid(Palette.gold), outline: .solid(Palette.ink), width: outlineWidth)
    for x: Float in [-1.4, 1] {
      let stripe = Capsule(from: point(x, -2), to: point(x, 2), thickness: 1.1 * unit)
      canvas.fill(stripe, .solid(Palette.ink))
    }
    canvas.fill(Ellipse(center: point(-2.8, -0.4), radius: 0.55 * unit), .solid(Palette.ink))
    for lean: Float in [-1.6, -0.3] {
      let feeler = Strand(
        from: point(-3, -2), towards: point(-3.6, -4), to: point(-4.4 + lean, -5), thickness: 0.9)
      canvas.fill(feeler, .solid(Palette.ink))
    }
  }
}
