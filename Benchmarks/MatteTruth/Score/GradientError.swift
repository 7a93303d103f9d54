import Glibc

/// The sum of the squared errors of the gradient's length, in thousands.
///
/// The gradient is that of a Gaussian of 1.4 px, as in C. Rhemann et al., "A perceptually motivated
/// online benchmark for image matting", 2009.
func gradientError(of alpha: [Float], from truth: [Float], width: Int) -> Double {
  let (made, expected) = (
    gradientLengths(of: alpha, width: width), gradientLengths(of: truth, width: width)
  )
  var sum = 0.0
  for index in made.indices {
    let error = Double(made[index] - expected[index])
    sum += error * error
  }
  return sum / 1000
}

private func gradientLengths(of alpha: [Float], width: Int) -> [Float] {
  let (smooth, slope) = gaussianTaps(sigma: 1.4)
  let across = filtered(
    filtered(alpha, by: slope, width: width, isVertical: false), by: smooth, width: width,
    isVertical: true)
  let down = filtered(
    filtered(alpha, by: smooth, width: width, isVertical: false), by: slope, width: width,
    isVertical: true)
  return zip(across, down).map { ($0 * $0 + $1 * $1).squareRoot() }
}

/// The weights of a Gaussian and of its derivative, out to four deviations.
private func gaussianTaps(sigma: Float) -> (smooth: [Float], slope: [Float]) {
  let radius = Int(4 * sigma + 0.5)
  let places = (-radius...radius).map(Float.init)
  let weights = places.map { expf(-$0 * $0 / (2 * sigma * sigma)) }
  let total = weights.reduce(0, +)
  let smooth = weights.map { $0 / total }
  return (smooth, zip(places, smooth).map { $0 / (sigma * sigma) * $1 })
}

/// Weighs each pixel's neighbours along a row or a column; beyond the border the picture is mirrored.
private func filtered(_ values: [Float], by taps: [Float], width: Int, isVertical: Bool) -> [Float]
{
  let height = values.count / width
  let (length, step) = isVertical ? (height, width) : (width, 1)
  let radius = taps.count / 2
  var result = [Float](repeating: 0, count: values.count)
  for y in 0..<height {
    for x in 0..<width {
      let index = y * width + x
      let place = isVertical ? y : x
      var sum: Float = 0
      if place >= radius, place + radius < length {
        var at = index - radius * step
        for tap in taps {
          sum += tap * values[at]
          at += step
        }
      } else {
        for (offset, tap) in taps.enumerated() {
          var other = place + offset - radius
          if other < 0 { other = -1 - other }
          if other >= length { other = 2 * length - 1 - other }
          sum += tap * values[index + (other - place) * step]
        }
      }
      result[index] = sum
    }
  }
  return result
}
