import Glibc

/// A photo-like picture without a photo: a lake at evening, with a sun, haze, hills, ripples, reeds
/// and the grain of a film.
public enum Landscape {
  /// The picture as opaque RGBA; it depends on its size alone.
  public static func picture(width: Int, height: Int) -> Picture {
    let view = View(size: SIMD2(Float(width), Float(height)))
    var canvas = Canvas(region: Region(columns: 0..<width, rows: 0..<height), color: view.color)
    paintMill(on: &canvas, view: view)
    paintReeds(on: &canvas, view: view)
    return canvas.picture().grained(deviation: 3)
  }

  /// A windmill far off on the right shore.
  private static func paintMill(on canvas: inout Canvas, view: View) {
    let unit = view.size.x / 100
    let dark = Paint.hex(0x2B2438)
    let foot = SIMD2(77 * unit, view.shore(at: 77 * unit))
    let tower = Tower(
      center: foot - SIMD2(0, 5.5) * unit, bottomHalfWidth: 2.6 * unit, topHalfWidth: 1.5 * unit,
      halfHeight: 6 * unit, radius: 0.4 * unit)
    canvas.fill(tower, dark)
    let hub = foot - SIMD2(0, 12) * unit
    canvas.fill(Ellipse(center: hub, radii: SIMD2(2.1, 1.6) * unit), dark)
    for quarter in 0..<4 {
      let along = (SIMD2<Float>(0, -unit)).turned(by: 0.5 + Float(quarter) * .pi / 2)
      let across = along.turned(by: .pi / 2)
      canvas.fill(Capsule(from: hub, to: hub + along * 9, thickness: 2.2), dark)
      for lath in 3...9 {
        let start = hub + along * Float(lath)
        canvas.fill(Capsule(from: start, to: start + across * 1.6, thickness: 1), dark)
      }
    }
  }

  /// Reeds in the foreground, each bent by the same wind.
  private static func paintReeds(on canvas: inout Canvas, view: View) {
    let unit = view.size.x / 100
    var random = SeededGenerator(41)
    for _ in 0..<190 {
      let foot = SIMD2(view.size.x * random.unit() * random.unit(), view.size.y + unit)
      let length = (8 + 26 * random.unit()) * unit
      let bend = (2 + 9 * random.unit()) * unit
      let reed = Strand(
        from: foot, towards: foot - SIMD2(0, length * 0.7), to: foot + SIMD2(bend, -length),
        thickness: 1 + 3 * random.unit())
      canvas.fill(reed, .solid(mix(Color(hex: 0x1D2418), Color(hex: 0x6B6A33), random.unit())))
    }
  }
}

/// The scene's parts as colours of a point.
private struct View {
  let size: SIMD2<Float>
  private let noise = ValueNoise(seed: 5)

  init(size: SIMD2<Float>) {
    self.size = size
  }

  /// The row of the water's far edge.
  private var waterline: Float { size.y * 0.62 }
  private var sun: Point { SIMD2(size.x * 0.64, size.y * 0.375) }

  func color(at point: Point) -> Color {
    point.y < waterline ? landAndSky(at: point) : water(at: point)
  }

  /// The row at which the nearest shore begins at column `x`.
  func shore(at x: Float) -> Float {
    ridge(at: x, layer: 3)
  }

  private func ridge(at x: Float, layer: Int) -> Float {
    let wide = noise.fractal(
      at: SIMD2(x / size.x * (2.2 + Float(layer)), Float(layer) * 31 + 7), octaves: 6)
    let height = [0.26, 0.2, 0.13, 0.06][layer] as Float
    return waterline - size.y * height * (0.35 + wide) + size.y * 0.03
  }

  private func landAndSky(at point: Point) -> Color {
    let haze = Color(hex: 0xF7C79A)
    let rock = Color(hex: 0x3A3A55)
    for layer in (0...3).reversed() where point.y >= ridge(at: point.x, layer: layer) {
      let texture = noise.fractal(at: point / size.x * 60, octaves: 4) - 0.5
      let near = [0.25, 0.45, 0.68, 0.95][layer] as Float
      let depth = clamp((point.y - ridge(at: point.x, layer: layer)) / (size.y * 0.2))
      return mix(haze, rock, near) * (1 + texture * 0.5 * near) + haze * (0.18 * depth)
    }
    return sky(at: point)
  }

  private func sky(at point: Point) -> Color {
    let height = clamp(1 - point.y / waterline)
    var color = mix(Color(hex: 0xFFD9A0), Color(hex: 0x6FA3D8), smoothstep(0.1, 0.6, height))
    color = mix(color, Color(hex: 0x27508F), smoothstep(0.5, 1, height))
    let drift = SIMD2(point.x / size.x * 3, point.y / size.x * 9)
    let cloud = smoothstep(0.5, 0.78, noise.fractal(at: drift, octaves: 6))
    let lit = mix(Color(hex: 0xFFE9CF), Color(hex: 0xE7E9F2), height)
    color = mix(color, lit, cloud * 0.85)
    let distance = (point - sun).length / size.x
    color += Color(1, 0.78, 0.45) * (0.55 * exp(-distance * 7))
    return mix(color, Color(hex: 0xFFF8E4), 1 - smoothstep(0.052, 0.056, distance))
  }

  private func water(at point: Point) -> Color {
    let depth = (point.y - waterline) / (size.y - waterline)
    let wave = SIMD2(point.x / size.x * (26 - 16 * depth), sqrt(depth) * 60)
    let ripple = noise.fractal(at: wave, octaves: 3) - 0.5
    let mirrored = SIMD2(
      point.x + ripple * size.x * 0.05 * (0.3 + depth),
      waterline - (point.y - waterline) * 0.9 + ripple * size.y * 0.06)
    let color = landAndSky(at: SIMD2(mirrored.x, min(mirrored.y, waterline - 1)))
    let deep = Color(hex: 0x1B3350)
    return mix(color, deep, 0.22 + 0.5 * depth) + Color(0.9, 0.7, 0.45) * max(0, ripple) * 0.18
  }
}

extension Picture {
  /// The picture with the grain of a film: noise of `deviation` 8-bit steps, mostly of brightness.
  fileprivate func grained(deviation: Float) -> Picture {
    let grained = pixels.indices.map { index in
      var random = SeededGenerator(index % width, index / width, -1)
      let shared = random.normal() * deviation
      let pixel = SIMD3<Float>(SIMD3(pixels[index].x, pixels[index].y, pixels[index].z)) + shared
      let tint = SIMD3(random.normal(), random.normal(), random.normal()) * (deviation / 3)
      let color = pixel + tint
      return SIMD4(byte(color.x), byte(color.y), byte(color.z), 255)
    }
    return Picture(width: width, height: height, pixels: grained)
  }
}
