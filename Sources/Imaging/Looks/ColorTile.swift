/// A run of pixels as four rows of floats, small enough to stay in the first-level cache.
///
/// Channels are 0…1 and straight. A point filter gives the arithmetic of one pixel; the loop over the
/// rows, in which it is inlined, is made vectors by the compiler.
struct ColorTile {
  /// Pixels in a tile: four rows of 2 KB leave room for look-up tables beside them.
  static let capacity = 512

  private var red = [Float](repeating: 0, count: capacity)
  private var green = [Float](repeating: 0, count: capacity)
  private var blue = [Float](repeating: 0, count: capacity)
  private var alpha = [Float](repeating: 0, count: capacity)

  /// Takes 8-bit pixels in, their colour channels through a table where one is given.
  mutating func load(_ pixels: Span<SIMD4<UInt8>>, through curve: ChannelCurve?) {
    if let curve {
      lookUp(pixels, in: curve.values, into: &red, &green, &blue)
    } else {
      spread(pixels, shift: 0, into: &red)
      spread(pixels, shift: 8, into: &green)
      spread(pixels, shift: 16, into: &blue)
    }
    spread(pixels, shift: 24, into: &alpha)
  }

  /// Writes pixels out from index `start` on, each channel rounded to 8 bits, ties to even.
  func store(into pixels: inout MutableSpan<SIMD4<UInt8>>, at start: Int, count: Int) {
    let (red, green) = (red.span, green.span)
    let (blue, alpha) = (blue.span, alpha.span)
    precondition(count <= Self.capacity && start >= 0 && start + count <= pixels.count, "range")
    for x in 0..<count {
      let low = roundedToInteger(red[x] * 255) | roundedToInteger(green[x] * 255) &<< 8
      let high = roundedToInteger(blue[x] * 255) | roundedToInteger(alpha[x] * 255) &<< 8
      // In bounds by the check above; a word, because bytes are not made vectors.
      unsafe pixels[unchecked: start &+ x] = unsafeBitCast(
        (low | high &<< 16).littleEndian, to: SIMD4<UInt8>.self)
    }
  }

  /// Maps the colours in place; what comes out is clamped to 0…1, and NaN becomes 0.
  @inline(__always)
  mutating func mapColors(
    _ transform: (_ red: Float, _ green: Float, _ blue: Float) -> (Float, Float, Float)
  ) {
    mapRows(&red, &green, &blue, transform)
  }

  /// Maps alpha in place by the colour; what comes out is clamped to 0…1, and NaN becomes 0.
  @inline(__always)
  mutating func mapAlpha(
    _ transform: (_ red: Float, _ green: Float, _ blue: Float, _ alpha: Float) -> Float
  ) {
    mapRow(&alpha, by: red, green, blue, transform)
  }

  /// Maps each colour channel by a table, looked up by the channel rounded to 8 bits.
  mutating func mapChannels(by curve: ChannelCurve) {
    lookUp(&red, in: curve.values)
    lookUp(&green, in: curve.values)
    lookUp(&blue, in: curve.values)
  }
}

// MARK: - Kernels

/// Spreads one byte of each pixel to a row of floats.
private func spread(_ pixels: Span<SIMD4<UInt8>>, shift: UInt32, into row: inout [Float]) {
  var row = row.mutableSpan
  precondition(pixels.count <= row.count, "a tile holds \(row.count) pixels")
  for x in pixels.indices {
    let word = unsafe unsafeBitCast(pixels[x], to: UInt32.self).littleEndian
    row[x] = Float(word &>> shift & 0xff) * (1 / 255)
  }
}

private func lookUp(
  _ pixels: Span<SIMD4<UInt8>>, in values: [Float], into red: inout [Float],
  _ green: inout [Float], _ blue: inout [Float]
) {
  let values = values.span
  var red = red.mutableSpan
  var green = green.mutableSpan
  var blue = blue.mutableSpan
  precondition(values.count == 256, "a curve has 256 values")
  precondition(pixels.count <= red.count && pixels.count <= green.count, "too many pixels")
  precondition(pixels.count <= blue.count, "too many pixels")
  for x in pixels.indices {
    let pixel = pixels[x]
    // In bounds: a byte indexes 256 values.
    red[x] = unsafe values[unchecked: Int(pixel.x)]
    green[x] = unsafe values[unchecked: Int(pixel.y)]
    blue[x] = unsafe values[unchecked: Int(pixel.z)]
  }
}

private func lookUp(_ row: inout [Float], in values: [Float]) {
  let values = values.span
  var row = row.mutableSpan
  precondition(values.count == 256, "a curve has 256 values")
  for x in row.indices {
    // In bounds: masked to eight bits, which clamped channels never exceed.
    row[x] = unsafe values[unchecked: Int(roundedToInteger(row[x] * 255) & 0xff)]
  }
}

@inline(__always)
private func mapRows(
  _ red: inout [Float], _ green: inout [Float], _ blue: inout [Float],
  _ transform: (Float, Float, Float) -> (Float, Float, Float)
) {
  var red = red.mutableSpan
  var green = green.mutableSpan
  var blue = blue.mutableSpan
  precondition(green.count == red.count && blue.count == red.count, "rows must agree")
  for x in red.indices {
    let (r, g, b) = transform(red[x], green[x], blue[x])
    red[x] = clampedToUnit(r)
    green[x] = clampedToUnit(g)
    blue[x] = clampedToUnit(b)
  }
}

@inline(__always)
private func mapRow(
  _ alpha: inout [Float], by red: [Float], _ green: [Float], _ blue: [Float],
  _ transform: (Float, Float, Float, Float) -> Float
) {
  var alpha = alpha.mutableSpan
  let red = red.span
  let green = green.span
  let blue = blue.span
  precondition(red.count == alpha.count && green.count == alpha.count, "rows must agree")
  precondition(blue.count == alpha.count, "rows must agree")
  for x in alpha.indices {
    alpha[x] = clampedToUnit(transform(red[x], green[x], blue[x], alpha[x]))
  }
}
