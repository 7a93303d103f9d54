import Imaging
import TestSupport

/// A 4:2:0 picture in memory, with padding after each row.
struct PlanarPicture {
  let size: PixelSize
  let luma: [UInt8]
  let cb: [UInt8]
  let cr: [UInt8]
  static let padding = 5

  var chromaSize: PixelSize {
    PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
  }

  /// Makes each sample by a function of its plane (0…2) and place.
  init(size: PixelSize, sample: (_ plane: Int, _ x: Int, _ y: Int) -> UInt8) {
    self.size = size
    func plane(_ index: Int, _ size: PixelSize) -> [UInt8] {
      (0..<size.height).flatMap { y in
        (0..<size.width + Self.padding).map { x in x < size.width ? sample(index, x, y) : 99 }
      }
    }
    let chroma = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    luma = plane(0, size)
    cb = plane(1, chroma)
    cr = plane(2, chroma)
  }

  /// A picture of random codes.
  static func random(_ size: PixelSize, seed: UInt64) -> PlanarPicture {
    var random = SeededRandom(seed: seed)
    return PlanarPicture(size: size) { _, _, _ in random.byte() }
  }

  func luma(_ x: Int, _ y: Int) -> UInt8 { luma[y * (size.width + Self.padding) + x] }

  func chroma(_ plane: [UInt8], _ x: Int, _ y: Int) -> Double {
    let size = chromaSize
    let x = min(max(x, 0), size.width - 1)
    let y = min(max(y, 0), size.height - 1)
    return Double(plane[y * (size.width + Self.padding) + x])
  }

  /// Calls `body` with a view of the picture.
  func withView<R>(
    _ encoding: YCbCrEncoding = .bt601Limited, siting: ChromaSiting = .left,
    _ body: (YUV420View) throws -> R
  ) rethrows -> R {
    let chroma = chromaSize
    let stride = (size.width + Self.padding, chroma.width + Self.padding)
    return try body(
      YUV420View(
        luma: PlaneView(luma.span, stride: stride.0, width: size.width, height: size.height),
        cb: PlaneView(cb.span, stride: stride.1, width: chroma.width, height: chroma.height),
        cr: PlaneView(cr.span, stride: stride.1, width: chroma.width, height: chroma.height),
        encoding: encoding, siting: siting))
  }
}
