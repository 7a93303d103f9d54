import Imaging
import Loudness

/// The columns of a spectrogram whose length is not known before its end: when there are twice as many
/// as the picture has, each two become one.
struct SpectrumColumns {
  /// The size of the picture in pixels.
  static let size = PixelSize(width: 1024, height: 512)
  /// The level that is black, in dB below a sine of full scale, which is white.
  static let floor = -100.0

  /// Sums of powers, `size.height` to a column.
  private var power: [Float] = []
  private var current = [Float](repeating: 0, count: SpectrumColumns.size.height)
  private var currentCount = 0
  /// Spectra of a column.
  private var perColumn = 1

  private var count: Int { power.count / Self.size.height }

  /// Takes the next spectrum, of a whole number of frequencies to each row.
  mutating func add(_ spectrum: [Float]) {
    let share = spectrum.count / Self.size.height
    for index in spectrum.indices { current[index / share] += spectrum[index] }
    currentCount += 1
    guard currentCount == perColumn else { return }
    power += current
    for row in current.indices { current[row] = 0 }
    currentCount = 0
    if count == 2 * Self.size.width { halve() }
  }

  private mutating func halve() {
    let height = Self.size.height
    for column in 0..<Self.size.width {
      for row in 0..<height {
        power[column * height + row] =
          power[2 * column * height + row] + power[(2 * column + 1) * height + row]
      }
    }
    power.removeLast(Self.size.width * height)
    perColumn *= 2
  }

  /// Draws what was taken; a sine of full scale has the magnitude `fullScale`.
  func draw(fullScale: Double) -> RGBAImage {
    let (width, height) = (Self.size.width, Self.size.height)
    guard count > 0 else { return RGBAImage(size: Self.size, filledWith: Self.color(of: 0)) }
    let reference = Float(1 / (fullScale * fullScale * Double(perColumn)))
    var pixels: [SIMD4<UInt8>] = []
    pixels.reserveCapacity(Self.size.area)
    for y in 0..<height {
      for x in 0..<width {
        let start = x * count / width
        let end = max(start + 1, (x + 1) * count / width)
        var sum: Float = 0
        for column in start..<end { sum += power[column * height + (height - 1 - y)] }
        let mean = Double(sum / Float(end - start) * reference)
        // A power is a squared amplitude: half its level.
        let level = Decibels.level(of: max(mean, 1e-20)) / 2
        pixels.append(Self.color(of: 1 - level / Self.floor))
      }
    }
    return RGBAImage(size: Self.size, pixels: pixels)
  }

  /// The colour of a share of the range of levels: black, blue, red, yellow, white.
  private static func color(of share: Double) -> SIMD4<UInt8> {
    let stops: [SIMD3<Double>] = [
      [0, 0, 4], [60, 20, 110], [190, 50, 85], [245, 140, 40], [250, 230, 130], [255, 255, 255],
    ]
    let place = min(max(share, 0), 1) * Double(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    let mixed = stops[index] + (stops[index + 1] - stops[index]) * (place - Double(index))
    let bytes = SIMD3<UInt8>(clamping: SIMD3<Int>(mixed.rounded(.toNearestOrEven)))
    return SIMD4(bytes, 255)
  }
}
