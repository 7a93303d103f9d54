import TestSupport
import Testing

@testable import Imaging

/// The kernels of mode `clean` against their plain counterparts.
@Suite struct LaneTests {
  private static let screens = [
    SIMD3<Float>(1, 0, 1), SIMD3(0.1, 0.8, 0.15), SIMD3(0.3, 0.3, 0.75),
  ]

  /// Random opaque pixels, sixteen times so many.
  private func pixels(blocks: Int, seed: UInt64) -> [SIMD4<UInt8>] {
    var random = SeededRandom(seed: seed)
    return (0..<16 * blocks).map { _ in SIMD4(random.byte(), random.byte(), random.byte(), 255) }
  }

  /// The first coverage and the flags of pixels by the judge of a plan.
  private func judged(
    _ pixels: [SIMD4<UInt8>], _ plan: KeyPlan
  ) -> (coverage: [UInt8], flags: [UInt8]) {
    let color = RowStore<UInt32>(ring: 1, width: pixels.count, filledWith: 0)
    let coverage = RowStore<UInt8>(ring: 1, width: pixels.count, filledWith: 0)
    let screen = RowStore<UInt8>(ring: 1, width: pixels.count, filledWith: 0)
    for (x, pixel) in pixels.enumerated() {
      let (red, green, blue) = (UInt32(pixel.x), UInt32(pixel.y), UInt32(pixel.z))
      color[0][x] = red | green << 8 | blue << 16 | 0xff00_0000
    }
    var blocks = BlockMap()
    blocks.markAll(of: PixelSize(width: pixels.count / 2, height: 1))
    ScreenJudge(plan).judge(
      blocks, row: 0, color[0], coverage: coverage[0], screen: screen[0])
    return (pixels.indices.map { coverage[0][$0] }, pixels.indices.map { screen[0][$0] })
  }

  @Test(arguments: screens, [nil, Float(0.15)])
  func `eight pixels get the coverage of one`(screen: SIMD3<Float>, threshold: Float?) {
    let plan = KeyPlan(
      KeySettings(threshold: threshold), screens: [KeyMeasurement(color: .init(clamping: screen))])
    let pixels = pixels(blocks: 64, seed: 11)
    let (coverage, _) = judged(pixels, plan)
    let rule = MatteRule(plan)
    for (pixel, found) in zip(pixels, coverage) {
      let rgb = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z)) / 255
      #expect(abs(Int(found) - Int(rule.alpha(of: rgb))) <= 1, "\(pixel) on \(screen)")
    }
  }

  @Test(arguments: screens)
  func `what is near the screen is flagged by its chroma distance`(screen: SIMD3<Float>) {
    let measurement = KeyMeasurement(color: RGBColor(clamping: screen))
    let plan = KeyPlan(KeySettings(), screens: [measurement])
    var random = SeededRandom(seed: 5)
    let pixels = (0..<1024).map { _ in
      let noise =
        SIMD3<Float>(
          Float(random.byte()), Float(random.byte()), Float(random.byte())) / 4 - 32
      let color = (screen * 255 + noise).clamped(
        lowerBound: .zero, upperBound: .init(repeating: 255))
      return SIMD4(UInt8(color.x), UInt8(color.y), UInt8(color.z), 255)
    }
    let (_, flags) = judged(pixels, plan)
    let distance = ChromaDistance(from: measurement.color.channels)
    let scale = min(1, measurement.chroma / 0.25)
    for (pixel, found) in zip(pixels, flags) {
      let away = distance(
        red: Float(pixel.x) / 255, green: Float(pixel.y) / 255, blue: Float(pixel.z) / 255)
      if away < 0.019 * scale { #expect(found == ScreenJudge.isScreen, "\(pixel)") }
      if away < 0.049 * scale { #expect(found != 0, "\(pixel)") }
    }
    #expect(flags.contains(0) && flags.contains(ScreenJudge.isScreen))
  }

  @Test(arguments: YCbCrEncoding.Matrix.allCases, YCbCrEncoding.Range.allCases)
  func `pixels are within a step of the exact transform`(
    matrix: YCbCrEncoding.Matrix, range: YCbCrEncoding.Range
  ) {
    let encoding = YCbCrEncoding(matrix: matrix, range: range)
    var random = SeededRandom(seed: 3)
    for _ in 0..<2000 {
      let (luma, cb, cr) = (random.byte(), random.byte(), random.byte())
      let words = PixelMatrix(encoding).pixels(
        luma: SIMD8(repeating: Int16(luma)), cb: SIMD8(repeating: (Int16(cb) - 128) << 8),
        cr: SIMD8(repeating: (Int16(cr) - 128) << 8))
      let exact =
        RGBColor(
          clamping: encoding.rgb(luma: Float(luma), cb: Float(cb), cr: Float(cr))
        ).channels * 255
      for channel in 0..<3 {
        let found = Float(words[0] >> UInt32(8 * channel) & 0xff)
        #expect(abs(found - exact[channel]) <= 1.05, "\((luma, cb, cr)) in \(encoding)")
      }
    }
  }

  @Test func `roots have three digits`() {
    for exponent in -10...16 {
      let values =
        SIMD8<Float>(0, 1, 1.3, 1.7, 2, 2.6, 3.1, 3.9)
        * Float(sign: .plus, exponent: exponent, significand: 1)
      for lane in 0..<8 {
        let exact = values[lane].squareRoot()
        #expect(abs(values.root[lane] - exact) <= exact * 0.002)
      }
    }
  }

  @Test(arguments: [(7, 5), (33, 40), (64, 100), (129, 66)])
  func `any tiles give what the whole picture gives`(size: (Int, Int)) throws {
    let picture = PlanarPicture.random(PixelSize(width: size.0, height: size.1), seed: 9)
    picture.withView { view in
      let plan = KeyPlan(
        KeySettings(), screens: [KeyMeasurement(color: RGBColor(packed: 0xff00ff))])
      func keyed(_ tileRows: Int) -> [SIMD4<UInt8>] {
        let keyer = Keyer(plan)
        keyer.begin(view)
        return stride(from: 0, to: size.1, by: tileRows).flatMap { first in
          let rows = first..<min(first + tileRows, size.1)
          var tile = [SIMD4<UInt8>](repeating: .zero, count: rows.count * size.0)
          var span = tile.mutableSpan
          keyer.key(rows: rows, of: view, into: &span)
          return tile
        }
      }
      let whole = keyed(size.1)
      for rows in [1, 7, 32] { #expect(keyed(rows) == whole, "tiles of \(rows) rows") }
    }
  }
}
