/// A filter whose pixels come from places anywhere in the picture: warps, cells, patterns.
protocol PictureFilter: Sendable {
  /// The size of the result for a picture of a size.
  func resultSize(for size: PixelSize) -> PixelSize

  /// Whether row `y` of the result is the same as the one above it, so that it need not be made; for
  /// a picture of a size.
  func repeatsRowAbove(_ y: Int, in size: PixelSize) -> Bool

  /// The colours of a block of the result, whose place is in the result.
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock

  /// Makes row `y` of the result. A requirement so that the loop is made for each type of filter, which
  /// seldom has reason to write its own.
  func makeRow(
    _ y: Int, from picture: borrowing PictureSampler, into row: inout MutableSpan<SIMD4<UInt8>>)
}

extension PictureFilter {
  func resultSize(for size: PixelSize) -> PixelSize { size }

  func repeatsRowAbove(_ y: Int, in size: PixelSize) -> Bool { false }

  func makeRow(
    _ y: Int, from picture: borrowing PictureSampler, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let size = resultSize(for: picture.size)
    row.fillBlocks { x in
      color(at: BlockPlace(x: x, y: y, in: size), of: picture).words
    }
  }
}
