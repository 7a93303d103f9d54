/// The screen's colour at each place of a picture, in the picture's own codes.
enum ScreenField {
  /// As the light was found to lie.
  case surface(ScreenSurface)
  /// As a picture of the screen alone has it.
  case plate(PlatePlanes)

  /// Writes one channel of row `y` of a plane that covers the picture.
  func fill(_ row: inout [Float], channel: Int, y: Int, of size: PixelSize) {
    switch self {
    case .surface(let surface): surface.fill(&row, channel: channel, y: y, of: size)
    case .plate(let plate): plate.fill(&row, channel: channel, y: y, of: size)
    }
  }
}

/// A picture of the screen alone, brought to the codes of the pictures that are keyed with it.
struct PlatePlanes {
  private var planes: [[UInt8]]
  private var sizes: [PixelSize]

  /// The plate for 4:2:0 pictures of an encoding.
  init(_ plate: RGBAImage, encoding: YCbCrEncoding) {
    let half = PixelSize(width: (plate.width + 1) / 2, height: (plate.height + 1) / 2)
    sizes = [plate.size, half, half]
    let codes = plate.pixels.map { pixel in
      encoding.codes(of: SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z)) / 255)
    }
    planes = [codes.map { byte($0.x) }]
    for channel in 1...2 {
      var plane: [UInt8] = []
      plane.reserveCapacity(half.area)
      for y in 0..<half.height {
        let (top, bottom) = (2 * y, min(2 * y + 1, plate.height - 1))
        for x in 0..<half.width {
          let (left, right) = (2 * x, min(2 * x + 1, plate.width - 1))
          let sum =
            codes[top * plate.width + left] + codes[top * plate.width + right]
            + codes[bottom * plate.width + left] + codes[bottom * plate.width + right]
          plane.append(byte(sum[channel] / 4))
        }
      }
      planes.append(plane)
    }
  }

  /// The plate for pictures of RGBA pixels.
  init(_ plate: RGBAImage) {
    sizes = [plate.size, plate.size, plate.size]
    planes = (0..<3).map { channel in plate.pixels.map { $0[channel] } }
  }

  fileprivate func fill(_ row: inout [Float], channel: Int, y: Int, of size: PixelSize) {
    let own = sizes[channel]
    // The nearest sample, where a clip changes its size on the way.
    let start = y * own.height / size.height * own.width
    let plane = planes[channel]
    var span = row.mutableSpan
    if own.width == size.width {
      for x in 0..<size.width { span[x] = Float(plane[start + x]) }
    } else {
      for x in 0..<size.width { span[x] = Float(plane[start + x * own.width / size.width]) }
    }
  }
}

private func byte(_ code: Float) -> UInt8 { UInt8(min(max(code.rounded(), 0), 255)) }
