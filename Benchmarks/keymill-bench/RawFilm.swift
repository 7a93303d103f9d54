import Foundation
import Imaging

/// Frames of 8-bit 4:2:0 in memory, one after the other and without padding.
struct RawFilm {
  /// The size of each.
  let size: PixelSize
  /// How many there are.
  let frames: Int
  private let bytes: [UInt8]

  /// Reads a file of whole frames.
  init(path: String, width: Int, height: Int) throws {
    size = PixelSize(width: width, height: height)
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    frames = bytes.count / (width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2))
  }

  /// Lends a frame, whose codes are those of BT.601 in the limited range.
  func withFrame<R, E: Error>(_ frame: Int, _ body: (YUV420View) throws(E) -> R) throws(E) -> R {
    let chroma = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    let length = size.area + 2 * chroma.area
    let all = bytes.span
    let planes = all.extracting(frame * length..<(frame + 1) * length)
    let cb = size.area..<size.area + chroma.area
    let cr = cb.upperBound..<length
    return try body(
      YUV420View(
        luma: PlaneView(
          planes.extracting(0..<size.area), stride: size.width, width: size.width,
          height: size.height),
        cb: PlaneView(
          planes.extracting(cb), stride: chroma.width, width: chroma.width, height: chroma.height),
        cr: PlaneView(
          planes.extracting(cr), stride: chroma.width, width: chroma.width, height: chroma.height),
        encoding: .bt601Limited))
  }
}
