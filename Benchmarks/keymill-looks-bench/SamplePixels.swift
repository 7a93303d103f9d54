import Glibc
import Imaging

/// The picture that is measured on: soft shapes with grain, 1024x1536.
struct SamplePixels {
  static let size = PixelSize(width: 1024, height: 1536)
  private static let runs = 9

  let image: RGBAImage

  /// Draws the picture, or one as wide with other rows.
  init(height: Int = size.height) {
    var seed: UInt64 = 1
    image = RGBAImage(size: PixelSize(width: Self.size.width, height: height)) { y, row in
      for x in 0..<Self.size.width {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1
        let grain = Float(seed >> 58)
        func channel(_ across: Float, _ down: Float) -> UInt8 {
          UInt8(96 + 80 * sinf(Float(x) * across) * cosf(Float(y) * down) + grain)
        }
        row.append(SIMD4(channel(0.011, 0.007), channel(0.005, 0.013), channel(0.017, 0.003), 255))
      }
    }
  }

  /// The least processor time that a chain takes, in milliseconds.
  func milliseconds(of chain: FilterChain) -> Double {
    (0..<Self.runs).map { _ in time(chain) }.min() ?? 0
  }

  /// The least times of two chains that take turns.
  func milliseconds(of first: FilterChain, and second: FilterChain) -> (Double, Double) {
    let pairs = (0..<2 * Self.runs).map { _ in (time(first), time(second)) }
    return (pairs.map(\.0).min() ?? 0, pairs.map(\.1).min() ?? 0)
  }

  private func time(_ chain: FilterChain) -> Double {
    // A copy of its own, made before the clock runs: a job gives its picture up too.
    var own = image
    own[0, 0] = SIMD4(1, 2, 3, 255)
    let start = Self.processorTime
    let result = chain.apply(to: consume own)
    let time = Self.processorTime - start
    precondition(result.width > 0)
    return time
  }

  private static var processorTime: Double {
    var time = timespec()
    // The call fills the structure and keeps no pointer to it.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
