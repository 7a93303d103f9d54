/// An owned picture of the shape of one that was lent: 4:2:0, or RGBA pixels.
struct EvenedPlanes {
  var luma: [UInt8] = []
  var cb: [UInt8] = []
  var cr: [UInt8] = []
  var pixels: [SIMD4<UInt8>] = []
  private var size = PixelSize(width: 1, height: 1)

  /// Makes room for a 4:2:0 picture.
  mutating func begin(_ picture: YUV420View) {
    size = picture.size
    luma.resize(to: size.area, with: 0)
    cb.resize(to: picture.cb.width * picture.cb.height, with: 0)
    cr.resize(to: cb.count, with: 0)
  }

  /// Makes room for RGBA pixels.
  mutating func begin(_ size: PixelSize) { pixels.resize(to: size.area, with: .zero) }

  /// The planes as a 4:2:0 picture.
  @_lifetime(borrow self)
  borrowing func view(encoding: YCbCrEncoding, siting: ChromaSiting) -> YUV420View {
    let (width, height) = ((size.width + 1) / 2, (size.height + 1) / 2)
    return YUV420View(
      luma: PlaneView(luma.span, stride: size.width, width: size.width, height: size.height),
      cb: PlaneView(cb.span, stride: width, width: width, height: height),
      cr: PlaneView(cr.span, stride: width, width: width, height: height),
      encoding: encoding, siting: siting)
  }

  /// The pixels as a picture of a size.
  @_lifetime(borrow self)
  borrowing func view(_ size: PixelSize) -> RGBAView {
    RGBAView(pixels.span, size: size, pixelsPerRow: size.width)
  }
}
