import Foundation

/// The weights with which a blur adds the pixels of a line up, the same on both sides of a pixel.
struct BlurKernel: Hashable, Sendable {
  /// The weight of the pixel itself, then those of the pixels 1, 2, … away on either side.
  ///
  /// The first, and twice the others, add up to 1.
  let weights: [Double]

  /// How far from a pixel the farthest one with a weight is.
  var radius: Int { weights.count - 1 }

  /// Weighs by the given numbers, whatever their sum.
  init(proportionalTo numbers: [Double]) {
    let sum = 2 * numbers.reduce(0, +) - numbers[0]
    weights = numbers.map { $0 / sum }
  }

  /// The pixel alone.
  static let identity = BlurKernel(proportionalTo: [1])

  /// Equal weights up to a distance.
  static func box(radius: Int) -> BlurKernel {
    BlurKernel(proportionalTo: [Double](repeating: 1, count: radius + 1))
  }
}

// MARK: - GPUImage's Gaussians

extension BlurKernel {
  /// The greatest standard deviation whose bell has a weight of 1/256 anywhere.
  static let greatestSigma = 102.0

  /// A Gaussian bell as GPUImage cuts it off: where its density falls below 1/256.
  ///
  /// `sigma` is the standard deviation in pixels, rounded to a whole number, up to `greatestSigma`;
  /// below 1 there is no blur. Distances are stretched by `spacing`: the original reads two neighbours
  /// as one bilinear sample between them, and it is the places of these samples that are stretched.
  static func gaussian(sigma: Double, spacing: Double = 1) -> BlurKernel {
    let sigma = sigma.rounded()
    guard sigma >= 1 else { return .identity }
    let bell = BlurKernel(
      proportionalTo: (0...cutoff(ofSigma: sigma)).map {
        exp(-Double($0 * $0) / (2 * sigma * sigma))
      })
    return spacing == 1 ? bell : bell.stretched(by: spacing)
  }

  /// The distance at which the bell is cut off, an even number.
  private static func cutoff(ofSigma sigma: Double) -> Int {
    // The original starts with a shader for 2 that has nine taps, and keeps it when 2 is asked for.
    if sigma == 2 { return 4 }
    let logarithm = log((2 * Double.pi).squareRoot() * sigma / 256)
    let distance = Int((-2 * sigma * sigma * logarithm).squareRoot())
    return distance + distance % 2
  }

  /// The kernel with its pairs of neighbours read as samples `spacing` times as far away.
  private func stretched(by spacing: Double) -> BlurKernel {
    var result = [Double](repeating: 0, count: Int((Double(radius) * spacing).rounded(.up)) + 2)
    result[0] = weights[0]
    for near in stride(from: 1, to: radius, by: 2) {
      let weight = weights[near] + weights[near + 1]
      let place = spacing * (Double(near) + weights[near + 1] / weight)
      let share = place - place.rounded(.down)
      // A sample nearer than one pixel gives the middle its part from both sides.
      result[Int(place)] += (Int(place) == 0 ? 2 : 1) * weight * (1 - share)
      result[Int(place) + 1] += weight * share
    }
    while result.count > 1, result.last == 0 { result.removeLast() }
    return BlurKernel(proportionalTo: result)
  }
}
