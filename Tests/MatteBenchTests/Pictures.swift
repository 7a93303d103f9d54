@testable import MatteTruth

/// A picture of so many pixels a side in which `alpha` says how much of one colour each holds.
func picture(
  side: Int, color: SIMD3<Float> = [0.5, 0.5, 0.5], alpha: (_ x: Int, _ y: Int) -> Float
) -> MattePicture {
  MattePicture(
    width: side, height: side,
    pixels: (0..<side * side).map { index in
      let alpha = alpha(index % side, index / side)
      return SIMD4(color * alpha, alpha)
    })
}

/// An opaque picture of one colour.
func flat(_ color: SIMD3<Float>, side: Int = 4) -> MattePicture {
  picture(side: side, color: color) { _, _ in 1 }
}

let magenta: SIMD3<Float> = [1, 0, 1]
let green: SIMD3<Float> = [0, 1, 0]
