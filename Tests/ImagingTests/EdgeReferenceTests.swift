import Imaging
import TestSupport
import Testing

/// Neighbourhood filters against the plain formulas, on small pictures of odd sizes.
@Suite struct EdgeReferenceTests {
  static let sizes = [
    PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 5), PixelSize(width: 7, height: 1),
    PixelSize(width: 13, height: 9), PixelSize(width: 24, height: 3),
    PixelSize(width: 37, height: 31),
  ]

  @Test(arguments: sizes)
  func `sobel-edge draws the gradients of the luminance`(size: PixelSize) throws {
    let picture = Self.noise(size)
    let strength = 0.7
    let made = try apply("sobel-edge", ["edgeStrength": .number(strength)], to: picture)
    let luminance = picture.pixels.map {
      (0.2125 * Double($0.x) + 0.7154 * Double($0.y) + 0.0721 * Double($0.z)).rounded()
    }
    expectGray(made) { x, y in
      func at(_ dx: Int, _ dy: Int) -> Double {
        luminance[Self.index(x + dx, y + dy, in: size)]
      }
      let across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
      let down = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
      return (across * across + down * down).squareRoot() * strength
    }
  }

  @Test(arguments: sizes)
  func `sobel-edge with taps a pixel apart is the same as without a distance`(
    size: PixelSize
  ) throws {
    let picture = Self.noise(size)
    let taps: [String: FilterValue] = [
      "texelWidth": .number(1 / Double(size.width)),
      "texelHeight": .number(1 / Double(size.height)),
    ]
    let difference = PictureDifference(
      try apply("sobel-edge", taps, to: picture), try apply("sobel-edge", [:], to: picture))
    #expect(difference.greatest <= 1)
  }

  @Test(arguments: sizes)
  func `median takes the fifth of nine`(size: PixelSize) throws {
    let picture = Self.noise(size)
    let made = try apply("median", [:], to: picture)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let around = Self.around(x, y, in: picture)
        for channel in 0..<3 {
          #expect(made[x, y][channel] == around.map { $0[channel] }.sorted()[4])
        }
        #expect(made[x, y].w == 255)
      }
    }
  }

  @Test(arguments: sizes)
  func `convolution-3x3 adds up nine weighted pixels`(size: PixelSize) throws {
    let picture = Self.noise(size)
    let weights = [-0.5, 0.25, 0.125, 0.75, 1, -1.25, 0.375, 0.5, -0.0625]
    let kernel = FilterValue.list(weights.map { .number($0) })
    let made = try apply("convolution-3x3", ["convolutionKernel": kernel], to: picture)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let around = Self.around(x, y, in: picture)
        for channel in 0..<3 {
          let sum = zip(weights, around).reduce(0.0) { $0 + $1.0 * Double($1.1[channel]) }
          #expect(abs(Double(made[x, y][channel]) - min(max(sum, 0), 255)) < 0.501)
        }
        #expect(made[x, y].w == picture[x, y].w)
      }
    }
  }

  @Test(arguments: sizes)
  func `local-binary-pattern has a bit for each neighbour that is no less`(size: PixelSize) throws {
    let picture = Self.noise(size)
    let made = try apply("color-local-binary-pattern", [:], to: picture)
    // Places in reading order of the bits 0…7.
    let order = [2, 1, 0, 3, 6, 7, 8, 5]
    for y in 0..<size.height {
      for x in 0..<size.width {
        let around = Self.around(x, y, in: picture)
        func pattern(_ channel: Int) -> UInt8 {
          order.enumerated().reduce(0) { bits, place in
            bits | (around[place.element][channel] >= around[4][channel] ? 1 << place.offset : 0)
          }
        }
        #expect(made[x, y] == SIMD4(pattern(0), pattern(2), pattern(1), 255))
      }
    }
  }

  @Test func `kuwahara leaves an edge between two even colours sharp`() throws {
    let size = PixelSize(width: 101, height: 67)
    let picture = RGBAImage(size: size) { _, row in
      for x in 0..<size.width {
        row.append(x < 50 ? SIMD4(200, 10, 30, 255) : SIMD4(20, 90, 250, 255))
      }
    }
    #expect(try apply("kuwahara", ["radius": 4], to: picture) == picture)
  }

  // MARK: - Pictures

  /// Few colours, so that neighbours are the same now and then, and any alpha.
  private static func noise(_ size: PixelSize) -> RGBAImage {
    var random = SeededRandom(seed: 17)
    return RGBAImage(size: size) { _, row in
      for _ in 0..<size.width {
        row.append(
          SIMD4(random.byte() & 0xf0, random.byte() & 0xe3, random.byte(), random.byte()))
      }
    }
  }

  private static func index(_ x: Int, _ y: Int, in size: PixelSize) -> Int {
    min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)
  }

  /// The 3×3 pixels around one, in reading order, borders repeated.
  private static func around(_ x: Int, _ y: Int, in picture: RGBAImage) -> [SIMD4<UInt8>] {
    (0..<9).map { picture.pixels[index(x + $0 % 3 - 1, y + $0 / 3 - 1, in: picture.size)] }
  }

  private func apply(
    _ filter: String, _ parameters: [String: FilterValue], to picture: RGBAImage
  ) throws -> RGBAImage {
    FilterChain([try FilterStep(filter, parameters)]).apply(to: picture)
  }

  private func expectGray(_ picture: RGBAImage, _ code: (_ x: Int, _ y: Int) -> Double) {
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let pixel = picture[x, y]
        #expect(pixel.x == pixel.y && pixel.x == pixel.z && pixel.w == 255)
        #expect(abs(Double(pixel.x) - min(code(x, y), 255)) < 0.501)
      }
    }
  }
}
