import Foundation
import Imaging
import TestSupport
import Testing

/// Warps, cells and frames against the plain formulas, in doubles, on pictures of odd sizes.
@Suite struct GeometryReferenceTests {
  static let sizes = [
    PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 23),
    PixelSize(width: 19, height: 1), PixelSize(width: 37, height: 26),
    PixelSize(width: 30, height: 53),
  ]

  typealias Place = SIMD2<Double>

  struct Warp: Sendable, CustomTestStringConvertible {
    let filter: String
    let parameters: [String: FilterValue]
    /// Where the pixel at a place comes from, with the picture's height over its width.
    let formula: @Sendable (_ place: Place, _ aspect: Double) -> Place

    var testDescription: String { filter }
  }

  static let warps: [Warp] = [
    Warp(filter: "bulge", parameters: ["radius": 0.4, "scale": -0.6, "center": [0.4, 0.3]]) {
      place, aspect in
      let (center, offset) = (Place(0.4, 0.3), place - Place(0.4, 0.3))
      let distance = length(offset * Place(1, aspect))
      guard distance < 0.4 else { return place }
      let root = 1 - (0.4 - distance) / 0.4 * -0.6
      return center + offset * (root * root)
    },
    Warp(filter: "pinch", parameters: ["radius": 0.7, "scale": 0.5, "center": [0.5, 0.6]]) {
      place, aspect in
      let center = Place(0.5, 0.6)
      let distance = length(Place(place.x, place.y * aspect + 0.5 - 0.5 * aspect) - center)
      guard distance < 0.7 else { return place }
      return center + (place - center) * (1 + 0.5 * (0.5 - distance) / 0.5)
    },
    Warp(filter: "stretch", parameters: ["center": [0.4, 0.6]]) { place, _ in
      func stretched(_ place: Double, _ center: Double) -> Double {
        let offset = 2 * (place - center)
        let t = min(max((abs(offset) - 0.25) / 0.25, 0), 1)
        return center + offset * (0.5 + 0.5 * t * t * (3 - 2 * t)) / 2
      }
      return Place(stretched(place.x, 0.4), stretched(place.y, 0.6))
    },
    Warp(filter: "polar-pixellate", parameters: ["pixelSize": [0.13, 0.3]]) { place, _ in
      let offset = 2 * place - Place(1, 1)
      var (radius, angle) = (length(offset), atan2(offset.y, offset.x))
      radius = (radius / 0.13).rounded(.down) * 0.13 + 0.03
      angle = (angle / 0.3).rounded(.down) * 0.3
      return Place(0.5, 0.5) + radius * Place(cos(angle), sin(angle)) / 2
    },
  ]

  @Test(arguments: warps, sizes)
  func `a warp takes pixels from where its formula says`(warp: Warp, size: PixelSize) throws {
    let image = Self.noise(size)
    let made = FilterChain([try FilterStep(warp.filter, warp.parameters)]).apply(to: image)
    let aspect = Double(size.height) / Double(size.width)
    var strays = 0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = Place(
          (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
        let wanted = Self.sample(image, warp.formula(place, aspect))
        if Self.difference(made[x, y], wanted) > 0.6 { strays += 1 }
      }
    }
    // Where floats and doubles fall on two sides of a ring's or ray's border.
    #expect(strays <= (warp.filter == "polar-pixellate" ? size.area / 50 : 0))
  }

  @Test(arguments: sizes)
  func `what leaves the picture where it is leaves every pixel`(size: PixelSize) throws {
    let image = Self.noise(size)
    for filter in ["transform", "crop", "straighten"] {
      #expect(FilterChain([try FilterStep(filter)]).apply(to: image) == image, "\(filter)")
    }
  }

  @Test func `a crop on pixel borders copies the pixels`() throws {
    let image = Self.noise(PixelSize(width: 64, height: 32))
    let crop = try FilterStep("crop", ["cropRegion": [0.25, 0.5, 0.5, 0.25]])
    let made = FilterChain([crop]).apply(to: image)
    #expect(made.size == PixelSize(width: 32, height: 8))
    for y in 0..<8 {
      for x in 0..<32 { #expect(made[x, y] == image[16 + x, 16 + y]) }
    }
  }

  @Test func `a quarter turn moves the corners round clockwise`() throws {
    let image = Self.noise(PixelSize(width: 16, height: 16))
    let turn = try FilterStep("transform", ["affineTransform": [0, 1, -1, 0, 0, 0]])
    let made = FilterChain([turn]).apply(to: image)
    for y in 0..<16 {
      for x in 0..<16 { #expect(made[15 - y, x] == image[x, y]) }
    }
  }

  @Test(arguments: [-45, -30, -3, 2, 17, 45.0], sizes)
  func `a straightened picture has no corner outside the turned one`(
    angle: Double, size: PixelSize
  ) throws {
    let step = try FilterStep("straighten", ["angle": .number(angle)])
    let made = FilterChain([step]).apply(to: Self.noise(size)).size
    let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
    let half = Place(Double(made.width), Double(made.height)) / 2
    for corner in [half, half * Place(1, -1)] where made.width > 1 && made.height > 1 {
      let x = corner.x * cosine + corner.y * sine
      let y = corner.y * cosine - corner.x * sine
      #expect(abs(x) <= Double(size.width) / 2 + 0.01)
      #expect(abs(y) <= Double(size.height) / 2 + 0.01)
    }
  }

  @Test(arguments: sizes)
  func `a pixellated picture has the colour of each cell's centre`(size: PixelSize) throws {
    let image = Self.noise(size)
    let made = FilterChain([try FilterStep("pixellate", ["fractionalWidthOfAPixel": 0.21])])
      .apply(to: image)
    let width = max(0.21, 1 / Double(size.width))
    let height = width * Double(size.width) / Double(size.height)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (u, v) = (
          (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height)
        )
        let center = Place(
          (u / width).rounded(.down) * width + width / 2,
          (v / height).rounded(.down) * height + height / 2)
        #expect(Self.difference(made[x, y], Self.sample(image, center)) <= 0.6)
      }
    }
  }

  @Test func `a lookup is linear between the colours of the table`() throws {
    let table = Self.noise(PixelSize(width: 512, height: 512))
    let image = Self.noise(PixelSize(width: 61, height: 40))
    let step = try FilterStep("lookup", ["intensity": 0.7], pictures: ["table"])
    let made = FilterChain([step]) { _ in table }.apply(to: image)
    for (pixel, result) in zip(image.pixels, made.pixels) {
      let place = SIMD3<Double>(Double(pixel.x), Double(pixel.y), Double(pixel.z)) / 255 * 63
      let low = place.rounded(.down)
      var sum = SIMD4<Double>.zero
      for corner in 0..<8 {
        let step = SIMD3<Double>(
          Double(corner & 1), Double(corner >> 1 & 1), Double(corner >> 2 & 1))
        let share = step * (place - low) + (1 - step) * (1 - (place - low))
        let color = (low + step).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 63))
        let (red, green, blue) = (Int(color.x), Int(color.y), Int(color.z))
        sum +=
          table[blue % 8 * 64 + red, blue / 8 * 64 + green].doubles * share.x * share.y
          * share.z
      }
      let wanted = 0.3 * pixel.doubles + 0.7 * sum
      for channel in 0..<3 { #expect(abs(Double(result[channel]) - wanted[channel]) <= 0.51) }
      #expect(result.w == pixel.w)
    }
  }

  // MARK: - Plain sampling

  private static func length(_ vector: Place) -> Double { (vector * vector).sum().squareRoot() }

  /// The bilinear sample at a place, with the edge pixels repeated.
  private static func sample(_ image: RGBAImage, _ place: Place) -> SIMD4<Double> {
    let last = Place(Double(image.width - 1), Double(image.height - 1))
    let size = Place(Double(image.width), Double(image.height))
    let position = (place * size - 0.5).clamped(lowerBound: .zero, upperBound: last)
    let low = position.rounded(.down)
    let share = position - low
    func pixel(_ right: Double, _ down: Double) -> SIMD4<Double> {
      let place = (low + Place(right, down)).clamped(lowerBound: .zero, upperBound: last)
      return image[Int(place.x), Int(place.y)].doubles
    }
    let above = pixel(0, 0) * (1 - share.x) + pixel(1, 0) * share.x
    let below = pixel(0, 1) * (1 - share.x) + pixel(1, 1) * share.x
    return above * (1 - share.y) + below * share.y
  }

  private static func difference(_ pixel: SIMD4<UInt8>, _ wanted: SIMD4<Double>) -> Double {
    let difference = pixel.doubles - wanted
    return max(difference.max(), -difference.min())
  }

  private static func noise(_ size: PixelSize) -> RGBAImage {
    var random = SeededRandom(seed: 5)
    return RGBAImage(size: size) { _, row in
      for _ in 0..<size.width { row.append(SIMD4<UInt8>.random(in: 0...255, using: &random)) }
    }
  }
}

extension SIMD4<UInt8> {
  fileprivate var doubles: SIMD4<Double> {
    SIMD4<Double>(Double(x), Double(y), Double(z), Double(w))
  }
}
