/// A picture at half resolution as luma and chroma codes.
struct HalfPlanes {
  /// What the codes of a picture of RGBA pixels stand for.
  static let encoding = YCbCrEncoding(matrix: .bt601, range: .full)

  private(set) var size = PixelSize(width: 1, height: 1)
  private(set) var luma: [UInt8] = []
  private(set) var cb: [UInt8] = []
  private(set) var cr: [UInt8] = []

  /// Takes the chroma of a 4:2:0 picture as it is, and the mean of the luma on it.
  mutating func load(_ picture: YUV420View) {
    begin(PixelSize(width: picture.cb.width, height: picture.cb.height))
    for line in 0..<size.height {
      let start = line * size.width
      copy(picture.cb.row(line), into: &cb, at: start)
      copy(picture.cr.row(line), into: &cr, at: start)
      let next = min(2 * line + 1, picture.luma.height - 1)
      average(picture.luma.row(2 * line), picture.luma.row(next), into: &luma, at: start)
    }
  }

  /// Takes the mean of 2 × 2 RGBA pixels.
  mutating func load(_ picture: RGBAView) {
    let full = picture.size
    begin(PixelSize(width: (full.width + 1) / 2, height: (full.height + 1) / 2))
    for line in 0..<size.height {
      let start = line * size.width
      let (top, bottom) = (
        picture.row(2 * line), picture.row(min(2 * line + 1, full.height - 1))
      )
      for x in 0..<size.width {
        let right = min(2 * x + 1, full.width - 1)
        let sum =
          SIMD4<UInt16>(truncatingIfNeeded: top[2 * x])
          &+ SIMD4<UInt16>(truncatingIfNeeded: top[right])
          &+ SIMD4<UInt16>(truncatingIfNeeded: bottom[2 * x])
          &+ SIMD4<UInt16>(truncatingIfNeeded: bottom[right])
        let (red, green, blue) = (Float(sum.x), Float(sum.y), Float(sum.z))
        let grey = 0.299 * red + 0.587 * green + 0.114 * blue
        luma[start + x] = code(grey * 0.25)
        cb[start + x] = code((blue - grey) * 0.25 * 0.5643 + 128)
        cr[start + x] = code((red - grey) * 0.25 * 0.7133 + 128)
      }
    }
  }

  private mutating func begin(_ size: PixelSize) {
    self.size = size
    luma.resize(to: size.area, with: 0)
    cb.resize(to: size.area, with: 0)
    cr.resize(to: size.area, with: 0)
  }

  private func code(_ value: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: roundedToInteger(min(max(value, 0), 255)))
  }
}

private func copy(_ row: Span<UInt8>, into plane: inout [UInt8], at start: Int) {
  var plane = plane.mutableSpan
  precondition(start >= 0 && start + row.count <= plane.count, "rows must agree")
  // In bounds by the check.
  for x in row.indices { unsafe plane[unchecked: start &+ x] = row[x] }
}

/// The mean of each 2 × 2 samples of two rows.
private func average(
  _ top: Span<UInt8>, _ bottom: Span<UInt8>, into plane: inout [UInt8], at start: Int
) {
  var plane = plane.mutableSpan
  let pairs = top.count / 2
  precondition(bottom.count == top.count, "rows must agree")
  precondition(start >= 0 && start + (top.count + 1) / 2 <= plane.count, "rows must agree")
  for x in 0..<pairs {
    // In bounds by the checks.
    let sum =
      unsafe UInt16(top[unchecked: 2 &* x]) &+ UInt16(top[unchecked: 2 &* x &+ 1])
      &+ UInt16(bottom[unchecked: 2 &* x]) &+ UInt16(bottom[unchecked: 2 &* x &+ 1])
    unsafe plane[unchecked: start &+ x] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
  }
  guard top.count > 2 * pairs else { return }
  plane[start + pairs] = UInt8((UInt16(top[2 * pairs]) + UInt16(bottom[2 * pairs]) + 1) / 2)
}
