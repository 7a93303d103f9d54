import ImageFiles
import Imaging
import TestSupport

/// The exact RGBA that a frame of the sample clips was composited from.
struct Truth {
  let image: RGBAImage

  /// The truth of frame 1, 30 or 60.
  init(frame number: Int) throws {
    let digits = String(number)
    let name = String(repeating: "0", count: 6 - digits.count) + digits
    image = try PNGReader.read(path: Checkout.sample("truth/\(name).png")).image
  }

  /// How far a keyed frame is from it.
  func errors(of frame: RGBAImage, over screen: SIMD4<UInt8>) -> Errors {
    var (all, edge, colour) = (Mean(), Mean(), Mean())
    for (made, exact) in zip(frame.pixels, image.pixels) {
      let difference = abs(Int(made.w) - Int(exact.w))
      all.add(difference)
      if 0 < exact.w && exact.w < 255 { edge.add(difference) }
      for channel in 0..<3 {
        colour.add(
          abs(Self.composite(made, channel, screen) - Self.composite(exact, channel, screen)))
      }
    }
    return Errors(alpha: all.value, edgeAlpha: edge.value, composite: colour.value)
  }

  /// Mean absolute differences, in levels of 255.
  struct Errors {
    /// Of alpha, over all pixels.
    let alpha: Double
    /// Of alpha, where the truth is neither opaque nor empty.
    let edgeAlpha: Double
    /// Of the colours that both show over a screen.
    let composite: Double
  }

  private struct Mean {
    private var sum = 0
    private var count = 0
    mutating func add(_ value: Int) { (sum, count) = (sum + value, count + 1) }
    var value: Double { count == 0 ? 0 : Double(sum) / Double(count) }
  }

  /// Straight alpha over an opaque colour.
  static func composite(
    _ pixel: SIMD4<UInt8>, _ channel: Int, _ screen: SIMD4<UInt8>
  ) -> Int {
    let alpha = Int(pixel.w)
    return (Int(pixel[channel]) * alpha + Int(screen[channel]) * (255 - alpha) + 127) / 255
  }
}
