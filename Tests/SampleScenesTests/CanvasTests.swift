import Testing

@testable import SampleScenes

@Suite struct CanvasTests {
  let region = Region(columns: 0..<40, rows: 0..<40)

  /// The alpha of all pixels together, in pixels.
  private func area(of canvas: Canvas) -> Float {
    canvas.picture().pixels.reduce(0) { $0 + Float($1.w) / 255 }
  }

  @Test(arguments: [0.6, 1, 1.5, 2] as [Float], [10, 10.3, 10.5] as [Float])
  func `a line covers its width wherever it lies`(width: Float, row: Float) {
    var canvas = Canvas(region: region)
    let line = Capsule(from: Point(-9, row), to: Point(49, row), thickness: width)
    canvas.fill(line, .hex(0xFFFFFF))
    #expect(abs(area(of: canvas) - 40 * width) < 0.2)
  }

  @Test func `a disc covers its area`() {
    var canvas = Canvas(region: region)
    canvas.fill(Ellipse(center: Point(20.2, 19.7), radius: 15), .hex(0xFFFFFF))
    #expect(abs(area(of: canvas) - .pi * 225) < 1)
  }

  @Test func `a shape over another hides what its opacity says`() {
    var canvas = Canvas(region: region)
    let all = RoundedBox(center: Point(20, 20), half: SIMD2(30, 30), radius: 0)
    canvas.fill(all, .hex(0xFF0000), opacity: 0.5)
    canvas.fill(all, .hex(0x0000FF), opacity: 0.5)
    #expect(canvas.picture()[20, 20] == SIMD4(85, 0, 170, 191))
  }

  @Test func `what moves while the shutter is open is spread over its path`() {
    var canvas = Canvas(region: region)
    canvas.exposed(over: region, samples: 4) { layer, moment in
      let center = Point(4 + 32 * moment, 20)
      layer.fill(RoundedBox(center: center, half: SIMD2(4, 4), radius: 0), .hex(0xFFFFFF))
    }
    #expect(canvas.picture()[20, 20].w == 64, "a quarter of the time at each place")
    #expect(abs(area(of: canvas) - 64) < 1)
  }
}
