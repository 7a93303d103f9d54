/// The mill itself: legs, arms, body, face, cap and scarf.
extension Stage {
  private var outlineWidth: Float { max(1.2, 0.6 * unit) }

  /// A soft shadow on the ground.
  func paintShadow(on canvas: inout Canvas) {
    let shadow = Haze(center: place(5 * wave(1), 42.5), radii: SIMD2(30, 6) * unit)
    canvas.fill(shadow, .solid(Palette.ink), opacity: 0.6)
  }

  func paintMill(on canvas: inout Canvas) {
    paintLeg(on: &canvas, side: -1)
    paintLeg(on: &canvas, side: 1)
    paintArms(on: &canvas)
    paintBody(on: &canvas)
    paintFace(on: &canvas)
    paintCap(on: &canvas)
    paintScarf(on: &canvas)
  }

  private func paintLeg(on canvas: inout Canvas, side: Float) {
    let swing = wave(2, delay: side < 0 ? 0 : 0.5)
    let lift = max(0, swing) * 5
    let foot = place(5 * wave(1) + side * 7.5 + side, 40 - lift)
    let leg = Capsule(from: onMill(side * 6.5, 24), to: foot, thickness: 3 * unit)
    canvas.fill(
      leg, .solid(Palette.plasterShade), outline: .solid(Palette.ink), width: outlineWidth)
    let boot = RoundedBox(
      center: foot + SIMD2(side * 1.2, 1) * unit, half: SIMD2(4.6, 2.7) * unit,
      radius: 2.2 * unit, angle: side * lift * 0.06)
    canvas.fill(
      boot, .solid(Palette.boot), outline: .solid(Palette.ink), width: outlineWidth)
  }

  private func paintArms(on canvas: inout Canvas) {
    for (shoulder, hand) in [(onMill(-10, 6), balloonHand), (onMill(10, 7), keyHand)] {
      let elbow = mix(shoulder, hand, 0.5) + SIMD2(0, 3.5) * unit
      let arm = Strand(from: shoulder, towards: elbow, to: hand, thickness: 3.2 * unit)
      canvas.fill(arm, .solid(Palette.plaster), outline: .solid(Palette.ink), width: outlineWidth)
    }
  }

  private func paintBody(on canvas: inout Canvas) {
    let body = Tower(
      center: onMill(0, 6), bottomHalfWidth: 13 * unit, topHalfWidth: 8.4 * unit,
      halfHeight: 16.5 * unit, radius: 3 * unit)
    let plaster = Paint.linear(
      from: Palette.plaster, to: Palette.plasterShade, start: onMill(-4, 2), end: onMill(15, 12))
    canvas.fill(body, plaster, outline: .solid(Palette.ink), width: outlineWidth)
    for (x, y) in [(-11, 17), (-8.5, 21), (6.5, 18.5), (8, 14.5)] as [(Float, Float)] {
      let joint = Capsule(from: onMill(x, y), to: onMill(x + 4, y), thickness: 1.2)
      canvas.fill(joint, .solid(Palette.wood), opacity: 0.7)
    }
  }

  private func paintFace(on canvas: inout Canvas) {
    let isBlinking = (0.46...0.50).contains(time)
    for side: Float in [-1, 1] {
      let eye = onMill(side * 4.6 + wave(1) * 0.5, 0.5)
      if isBlinking {
        let lid = Strand(
          from: eye + SIMD2(-2, 0) * unit, towards: eye + SIMD2(0, 1.6) * unit,
          to: eye + SIMD2(2, 0) * unit, thickness: 0.8 * unit)
        canvas.fill(lid, .solid(Palette.ink))
      } else {
        canvas.fill(Ellipse(center: eye, radii: SIMD2(1.9, 2.7) * unit), .solid(Palette.ink))
        let glint = Ellipse(center: eye + SIMD2(0.6, -1) * unit, radius: 0.75 * unit)
        canvas.fill(glint, .solid(Palette.canvas))
      }
      let cheek = Haze(center: onMill(side * 8.2, 5), radii: SIMD2(3.4, 2.4) * unit)
      canvas.fill(cheek, .solid(Palette.cheek))
    }
    let smile = Strand(
      from: onMill(-2.6, 5), towards: onMill(0, 8.6), to: onMill(2.6, 5), thickness: 0.8 * unit)
    canvas.fill(smile, .solid(Palette.ink))
  }

  private func paintCap(on canvas: inout Canvas) {
    paintTuft(on: &canvas)
    let roof = Paint.radial(
      inner: Palette.roof, outer: Palette.roofShade, center: onMill(-3, -20), radius: 17 * unit)
    let dome = RoundedBox(
      center: onMill(0, -16), half: SIMD2(11.3, 8.4) * unit, radius: 8.4 * unit)
    canvas.fill(dome, roof, outline: .solid(Palette.ink), width: outlineWidth)
    let brim = RoundedBox(
      center: onMill(0, -9.5), half: SIMD2(13.5, 2.4) * unit, radius: 2.2 * unit)
    canvas.fill(brim, roof, outline: .solid(Palette.ink), width: outlineWidth)
    let shine = Strand(
      from: onMill(-8, -15), towards: onMill(-7, -20), to: onMill(-2.5, -21), thickness: 1.1 * unit)
    canvas.fill(shine, .solid(Palette.canvas), opacity: 0.75)
  }

  /// Five hairs on the cap, from 0.6 to 2 px thick.
  private func paintTuft(on canvas: inout Canvas) {
    for index in 0..<5 {
      let thickness = 0.6 + 0.35 * Float(index)
      let lean = Float(index - 2) * 3.4
      let sway = 1.6 * wave(2, delay: Float(index) * 0.08)
      let tip = onMill(lean * 1.5 + sway, -35 + abs(lean) * 0.6)
      let hair = Strand(
        from: onMill(lean * 0.15, -22), towards: onMill(lean * 0.3, -30), to: tip,
        thickness: thickness)
      canvas.fill(hair, .solid(Palette.ink))
    }
  }

  private func paintScarf(on canvas: inout Canvas) {
    let wind = wave(3) * 2
    for (drop, delay) in [(4, 0.12), (0, 0)] as [(Float, Float)] {
      let flutter = wave(3, delay: delay) * 2.4
      let tail = Strand(
        from: onMill(-9, 11.5), towards: onMill(-17, 9 + wind + drop),
        to: onMill(-25 + drop, 15 + flutter + drop), thickness: 3.2 * unit)
      canvas.fill(
        tail, .solid(Palette.scarfShade), outline: .solid(Palette.ink), width: outlineWidth)
    }
    let wrap = RoundedBox(
      center: onMill(0, 11.5), half: SIMD2(12.6, 2.3) * unit, radius: 2.3 * unit)
    let cloth = Paint.linear(
      from: Palette.scarf, to: Palette.scarfShade, start: onMill(0, 10), end: onMill(10, 15))
    canvas.fill(wrap, cloth, outline: .solid(Palette.ink), width: outlineWidth)
  }
}
