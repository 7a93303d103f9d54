/// Alpha below which a pixel's colour is mostly noise: un-mixing divides by it.
private let leastAlpha: UInt8 = 24

/// Gives pixels without colour that of the nearest ones that have one, as far as two sweeps see it.
///
/// A matte that is grown or softened shows pixels where there was hardly more than screen. `pixels` are
/// rows of `width`; alpha stays.
func spreadColor(over pixels: inout [SIMD4<UInt8>], width: Int) {
  let count = pixels.count
  var pixels = pixels.mutableSpan
  for index in 0..<count where 0 < pixels[index].w && pixels[index].w < leastAlpha {
    pixels[index] = SIMD4(0, 0, 0, pixels[index].w)
  }
  for index in 0..<count {
    if index >= width { takeColor(of: index - width, for: index, in: &pixels) }
    if index % width > 0 { takeColor(of: index - 1, for: index, in: &pixels) }
  }
  for index in (0..<count).reversed() {
    if index + width < count { takeColor(of: index + width, for: index, in: &pixels) }
    if index % width < width - 1 { takeColor(of: index + 1, for: index, in: &pixels) }
  }
}

/// Gives a pixel the colour of another, unless it has one already.
@inline(__always)
private func takeColor(
  of other: Int, for index: Int, in pixels: inout MutableSpan<SIMD4<UInt8>>
) {
  let own = pixels[index]
  guard own.w < leastAlpha, own.x | own.y | own.z == 0 else { return }
  var color = pixels[other]
  color.w = own.w
  pixels[index] = color
}
