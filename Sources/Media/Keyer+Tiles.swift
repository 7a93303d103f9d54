import Imaging

// A span of an array that a class holds may not outlive one access to it; as an inout argument the
// array stands still for as long as the keyer writes.
extension Keyer {
  /// Keys rows into an array of exactly their pixels.
  func key(rows: Range<Int>, of picture: YUV420View, into tile: inout [SIMD4<UInt8>]) {
    var span = tile.mutableSpan
    key(rows: rows, of: picture, into: &span)
  }

  /// Keys rows into an array of exactly their pixels.
  func key(rows: Range<Int>, of picture: RGBAView, into tile: inout [SIMD4<UInt8>]) {
    var span = tile.mutableSpan
    key(rows: rows, of: picture, into: &span)
  }

  /// Makes the matte of rows in an array of exactly their pixels.
  func matte(rows: Range<Int>, of picture: YUV420View, into tile: inout [UInt8]) {
    var span = tile.mutableSpan
    matte(rows: rows, of: picture, into: &span)
  }

  /// Makes the matte of rows in an array of exactly their pixels.
  func matte(rows: Range<Int>, of picture: RGBAView, into tile: inout [UInt8]) {
    var span = tile.mutableSpan
    matte(rows: rows, of: picture, into: &span)
  }
}
