import Foundation
import Imaging
import TestSupport
import Testing

/// GPUImage's key on 4:2:0, pixel by pixel in doubles: what the kernels are compared with.
private struct ReferenceKey {
  let picture: PlanarPicture
  let encoding: YCbCrEncoding
  let siting: ChromaSiting
  let settings: KeySettings

  /// The chroma of a pixel by bilinear interpolation.
  private func chroma(_ plane: [UInt8], _ x: Int, _ y: Int) -> Double {
    // The place of a luma sample among the chroma samples.
    let v = (Double(y) - 0.5) / 2
    let u = siting == .left ? Double(x) / 2 : (Double(x) - 0.5) / 2
    let (left, top) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
    let (s, t) = (u - Double(left), v - Double(top))
    func row(_ y: Int) -> Double {
      picture.chroma(plane, left, y) * (1 - s) + picture.chroma(plane, left + 1, y) * s
    }
    return row(top) * (1 - t) + row(top + 1) * t
  }

  /// The pixel: colour not rounded, alpha as the table has it.
  func pixel(_ x: Int, _ y: Int) -> (color: SIMD3<Float>, alpha: Int) {
    let (cb, cr) = (chroma(picture.cb, x, y), chroma(picture.cr, x, y))
    let color = encoding.rgb(luma: Float(picture.luma(x, y)), cb: Float(cb), cr: Float(cr))
    let code = encoding.rgb(
      luma: 128, cb: Float((cb + 0.5).rounded(.down)), cr: Float((cr + 0.5).rounded(.down)))
    return (color * 255, alpha(code))
  }

  private func alpha(_ rgb: SIMD3<Float>) -> Int {
    func chroma(_ c: SIMD3<Float>) -> (Double, Double) {
      let (r, g, b) = (Double(c.x), Double(c.y), Double(c.z))
      let y = 0.2989 * r + 0.5866 * g + 0.1145 * b
      return (0.7132 * (r - y), 0.5647 * (b - y))
    }
    let (key, own) = (chroma(settings.colors[0].channels), chroma(rgb))
    let distance = hypot(own.0 - key.0, own.1 - key.1)
    let (threshold, smoothing) = (Double(settings.threshold ?? 0), Double(settings.smoothing ?? 0))
    let t = min(max((distance - threshold) / smoothing, 0), 1)
    return Int((t * t * (3 - 2 * t) * 255).rounded())
  }
}

@Suite struct KeyerTests {
  private static let settings = KeySettings(
    mode: .gpuimage, colors: [RGBColor(red: 1, green: 0, blue: 1)], threshold: 0.15,
    smoothing: 0.3)

  private func keyed(
    _ picture: PlanarPicture, _ settings: KeySettings, _ encoding: YCbCrEncoding = .bt601Limited,
    siting: ChromaSiting = .left, tile: Int? = nil
  ) throws -> RGBAImage {
    let size = picture.size
    var image = RGBAImage(size: size, filledWith: SIMD4(repeating: 77))
    try picture.withView(encoding, siting: siting) { view in
      let keyer = Keyer(try KeyPlan(settings, measuring: view))
      keyer.begin(view)
      let tile = tile ?? size.height
      for y in stride(from: 0, to: size.height, by: tile) {
        let rows = y..<min(y + tile, size.height)
        var part = [SIMD4<UInt8>](repeating: .zero, count: rows.count * size.width)
        var pixels = part.mutableSpan
        keyer.key(rows: rows, of: view, into: &pixels)
        for (index, pixel) in part.enumerated() {
          image[index % size.width, y + index / size.width] = pixel
        }
      }
    }
    return image
  }

  @Test(arguments: YCbCrEncodingTests.all, ChromaSiting.allCases)
  func `random pictures are keyed as by the plain formula`(
    encoding: YCbCrEncoding, siting: ChromaSiting
  ) throws {
    for (index, size) in ["1x1", "2x2", "3x5", "67x9", "150x31", "64x4"].enumerated() {
      let size = try #require(PixelSize(size))
      let picture = PlanarPicture.random(size, seed: UInt64(index + 1))
      let image = try keyed(picture, Self.settings, encoding, siting: siting)
      let reference = ReferenceKey(
        picture: picture, encoding: encoding, siting: siting, settings: Self.settings)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (color, alpha) = reference.pixel(x, y)
          let pixel = image[x, y]
          try #require(abs(Int(pixel.w) - alpha) <= 1, "\(size) at \(x), \(y)")
          for channel in 0..<3 {
            let expected = pixel.w == 0 ? 0 : min(max(color[channel], 0), 255)
            try #require(abs(Float(pixel[channel]) - expected) <= 1, "\(size) at \(x), \(y)")
          }
        }
      }
    }
  }

  @Test func `every pair of chroma codes has the alpha of the formula`() throws {
    // One code a column of two pixels and a row of two; the flat middle of each block is exact.
    let size = PixelSize(width: 512, height: 4)
    for cb in stride(from: 0, to: 256, by: 5) {
      let picture = PlanarPicture(size: size) { plane, x, _ in
        plane == 0 ? 120 : plane == 1 ? UInt8(cb) : UInt8(x)
      }
      let image = try keyed(picture, Self.settings)
      let reference = ReferenceKey(
        picture: picture, encoding: .bt601Limited, siting: .left, settings: Self.settings)
      for x in stride(from: 0, to: 512, by: 2) {
        try #require(abs(Int(image[x, 1].w) - reference.pixel(x, 1).alpha) <= 1, "\(cb), \(x / 2)")
      }
    }
  }

  @Test(arguments: [1, 2, 7, 16])
  func `tiles of any height give what the whole picture gives`(tile: Int) throws {
    let magenta = RGBColor(red: 1, green: 0, blue: 1)
    let all = [
      Self.settings, KeySettings(colors: [magenta]),
      KeySettings(colors: [magenta], choke: 1.5, feather: 2.5),
      KeySettings(mode: .gpuimage, colors: [magenta], choke: -2),
    ]
    let picture = scene(PixelSize(width: 131, height: 37))
    for settings in all {
      let whole = try keyed(picture, settings)
      #expect(try keyed(picture, settings, tile: tile) == whole)
    }
  }

  @Test func `the matte alone is the alpha of the keyed pixels`() throws {
    let picture = scene(PixelSize(width: 130, height: 21))
    for settings in [Self.settings, KeySettings(feather: 1)] {
      let image = try keyed(picture, settings)
      try picture.withView { view in
        let keyer = Keyer(try KeyPlan(settings, measuring: view))
        keyer.begin(view)
        var matte = [UInt8](repeating: 0, count: picture.size.area)
        var bytes = matte.mutableSpan
        keyer.matte(rows: 0..<picture.size.height, of: view, into: &bytes)
        #expect(matte == image.pixels.map(\.w))
      }
    }
  }

  @Test func `of several screens each is transparent`() throws {
    let settings = KeySettings(
      mode: .gpuimage, colors: [.init(red: 1, green: 0, blue: 1), .init(red: 0, green: 1, blue: 0)])
    let codes = try ["magenta", "lime", "white"].map {
      YCbCrEncoding.bt601Limited.codes(of: try #require(RGBColor($0)))
    }
    let picture = PlanarPicture(size: PixelSize(width: 60, height: 8)) { plane, x, _ in
      UInt8(codes[x * (plane == 0 ? 1 : 2) / 20][plane].rounded())
    }
    let image = try keyed(picture, settings)
    #expect(image[5, 4].w == 0)
    #expect(image[30, 4].w == 0)
    #expect(image[55, 4] == SIMD4(255, 255, 255, 255))
  }

  @Test func `no smoothing makes a hard step`() throws {
    let settings = KeySettings(
      mode: .gpuimage, colors: [.init(red: 1, green: 0, blue: 1)], threshold: 0.2, smoothing: 0)
    let image = try keyed(.random(PixelSize(width: 90, height: 20), seed: 5), settings)
    #expect(Set(image.pixels.map(\.w)) == [0, 255])
  }

  /// A grey disc on a magenta screen with a little noise.
  private func scene(_ size: PixelSize) -> PlanarPicture {
    var random = SeededRandom(seed: 11)
    let screen = YCbCrEncoding.bt601Limited.codes(of: RGBColor(red: 1, green: 0, blue: 1))
    return PlanarPicture(size: size) { plane, x, y in
      let scale = plane == 0 ? 1 : 2
      let (dx, dy) = (x * scale - size.width / 2, y * scale - size.height / 2)
      let isDisc = dx * dx + dy * dy < size.height * size.height / 6
      let noise = Int(random.byte() % 5) - 2
      return UInt8(isDisc ? 128 + noise : Int(screen[plane]) + noise)
    }
  }
}
