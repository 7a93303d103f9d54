import Imaging

/// A picture whose foreground is known: colour and coverage of each pixel over a magenta screen.
struct TruthScene {
  static let screen = SIMD3<Float>(1, 0, 1)
  let size: PixelSize
  let foreground: (_ x: Float, _ y: Float) -> (color: SIMD3<Float>, coverage: Float)
  /// How bright the screen is at a place.
  var light: (_ x: Float, _ y: Float) -> Float = { _, _ in 1 }

  init(
    size: PixelSize,
    foreground: @escaping (_ x: Float, _ y: Float) -> (color: SIMD3<Float>, coverage: Float)
  ) {
    self.size = size
    self.foreground = foreground
  }

  /// What a camera without faults sees.
  func color(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let place = (Float(x) + 0.5, Float(y) + 0.5)
    let (color, coverage) = foreground(place.0, place.1)
    return color * coverage + Self.screen * light(place.0, place.1) * (1 - coverage)
  }

  func coverage(_ x: Int, _ y: Int) -> Float {
    foreground(Float(x) + 0.5, Float(y) + 0.5).coverage
  }

  /// The picture as RGBA pixels.
  var image: RGBAImage {
    RGBAImage(size: size) { y, row in
      for x in 0..<size.width {
        let bytes = color(x, y) * 255
        row.append(
          SIMD4(
            UInt8(bytes.x.rounded()), UInt8(bytes.y.rounded()), UInt8(bytes.z.rounded()), 255))
      }
    }
  }

  /// The picture in 4:2:0 of limited BT.601, its chroma averaged about where it sits.
  func planar(_ siting: ChromaSiting) -> PlanarPicture {
    func codes(_ x: Int, _ y: Int) -> SIMD3<Float> {
      let (x, y) = (min(max(x, 0), size.width - 1), min(y, size.height - 1))
      return YCbCrEncoding.bt601Limited.codes(of: RGBColor(clamping: color(x, y)))
    }
    return PlanarPicture(size: size) { plane, x, y in
      if plane == 0 { return UInt8(codes(x, y).x.rounded()) }
      var sum: Float = 0
      for row in [2 * y, 2 * y + 1] {
        switch siting {
        case .center: sum += codes(2 * x, row)[plane] * 2 + codes(2 * x + 1, row)[plane] * 2
        case .left:
          sum += codes(2 * x - 1, row)[plane] + codes(2 * x, row)[plane] * 2
          sum += codes(2 * x + 1, row)[plane]
        }
      }
      return UInt8((sum / 8).rounded())
    }
  }

  /// A scene of anti-aliased discs side by side, of a colour and a coverage each.
  static func discs(_ discs: [(color: SIMD3<Float>, coverage: Float)], softness: Float = 1) -> Self
  {
    Self(size: PixelSize(width: 96 * discs.count, height: 96)) { x, y in
      let index = min(Int(x / 96), discs.count - 1)
      let (dx, dy) = (x - Float(index) * 96 - 48, y - 48)
      let edge = min(max((30 - (dx * dx + dy * dy).squareRoot()) / softness + 0.5, 0), 1)
      return (discs[index].color, discs[index].coverage * edge)
    }
  }
}

extension Keyer {
  /// Keys a whole picture.
  static func keyed(
    _ image: RGBAImage, _ settings: KeySettings, aids: KeyAids = KeyAids()
  ) throws -> RGBAImage {
    var result = RGBAImage(size: image.size)
    var pixels = result.mutablePixels
    let keyer = Keyer(try KeyPlan(settings, aids: aids, measuring: image.view))
    keyer.begin(image.view)
    keyer.key(rows: 0..<image.height, of: image.view, into: &pixels)
    return result
  }

  /// Keys a whole picture, and tells what became of its pixels.
  static func keyed(
    _ picture: PlanarPicture, _ settings: KeySettings, aids: KeyAids = KeyAids()
  ) throws -> (image: RGBAImage, tally: MatteTally?) {
    var result = RGBAImage(size: picture.size)
    var tally: MatteTally?
    try picture.withView { view in
      var pixels = result.mutablePixels
      let keyer = Keyer(try KeyPlan(settings, aids: aids, measuring: view))
      keyer.begin(view)
      keyer.key(rows: 0..<picture.size.height, of: view, into: &pixels)
      tally = keyer.tally
    }
    return (result, tally)
  }

  /// The matte alone of a whole picture.
  static func matte(
    _ picture: PlanarPicture, _ settings: KeySettings, aids: KeyAids = KeyAids()
  ) throws -> [UInt8] {
    var result = [UInt8](repeating: 0, count: picture.size.area)
    try picture.withView { view in
      var alpha = result.mutableSpan
      let keyer = Keyer(try KeyPlan(settings, aids: aids, measuring: view))
      keyer.begin(view)
      keyer.matte(rows: 0..<picture.size.height, of: view, into: &alpha)
    }
    return result
  }
}
