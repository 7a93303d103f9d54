internal import CFFmpeg

extension Scaler {
  /// Converts some rows at the frame's own size, so that each pixel is the same whatever rows it
  /// is converted with.
  func convert(
    _ frame: Frame, rows: Range<Int>, into pixels: UnsafeMutableRawBufferPointer, stride: Int
  ) throws(FFmpegError) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= frame.height, "rows of the frame")
    requireRoom(in: pixels.count, width: frame.width, height: rows.count, stride: stride)
    guard !rows.isEmpty else { return }
    let band = Band(rows, of: frame)
    var conversion = Conversion(
      from: frame, to: .rgba, width: band.width, height: band.padded.count)
    (conversion.sourceWidth, conversion.sourceHeight) = (band.width, band.padded.count)
    try prepare(conversion)
    let source = unsafe Source(frame, firstRow: band.padded.lowerBound)
    if band.isExact {
      try unsafe scale(source, to: pixels, stride: stride, conversion)
    } else {
      try unsafe scalePadded(source, band, to: pixels, stride: stride, conversion)
    }
  }

  /// Converts a whole frame at its own size, some rows at a time.
  func convertInBands(
    _ frame: Frame, into pixels: UnsafeMutableRawBufferPointer, stride: Int
  ) throws(FFmpegError) {
    // 64 rows of a wide picture fit the processor's cache, and the padding is a small part.
    for first in Swift.stride(from: 0, to: frame.height, by: 64) {
      let rows = first..<min(frame.height, first + 64)
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: pixels[(first * stride)...])
      try unsafe convert(frame, rows: rows, into: part, stride: stride)
    }
  }

  /// Converts padded rows to scratch memory, and copies the pixels that are wanted.
  private func scalePadded(
    _ source: Source, _ band: Band, to pixels: UnsafeMutableRawBufferPointer, stride: Int,
    _ conversion: Conversion
  ) throws(FFmpegError) {
    let (rowBytes, wanted) = (band.width * 4, band.wantedWidth * 4)
    var scratch = takeScratch(atLeast: rowBytes * band.padded.count)
    defer { self.scratch = scratch }
    var span = scratch.mutableSpan
    try unsafe span.withUnsafeMutableBytes { scratch throws(FFmpegError) in
      try unsafe scale(source, to: scratch, stride: rowBytes, conversion)
      for row in band.wanted {
        let start = (row - band.padded.lowerBound) * rowBytes
        let place = (row - band.wanted.lowerBound) * stride
        unsafe UnsafeMutableRawBufferPointer(rebasing: pixels[place..<(place + wanted)])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: scratch[start..<(start + wanted)]))
      }
    }
  }

  /// Takes the scratch memory out, so that it is not copied when written; the caller puts it back.
  private func takeScratch(atLeast count: Int) -> [UInt8] {
    defer { scratch = [] }
    return scratch.count >= count ? scratch : [UInt8](repeating: 0, count: count)
  }
}

/// The rows and columns that are converted for the sake of those that are wanted.
private struct Band {
  let wanted: Range<Int>
  let wantedWidth: Int
  let padded: Range<Int>
  let width: Int

  /// Vertical chroma filters look beyond the wanted rows, and dithering repeats every 8.
  init(_ rows: Range<Int>, of frame: Frame) {
    let shift = frame.pixelFormat.chromaShiftY
    let full = frame.sizeOfWholeChroma
    // 8 rows hold four chroma rows of 4:2:0, all that the filter reaches.
    let reach = shift > 0 ? 4 << shift : 0
    let end = (rows.upperBound + reach + 7) & ~7
    wanted = rows
    wantedWidth = frame.width
    let first = max(0, rows.lowerBound - reach) & ~7
    padded = first..<(reach == 0 ? rows.upperBound : min(full.height, end))
    width = full.width
  }

  var isExact: Bool { padded == wanted && width == wantedWidth }
}

extension Frame {
  /// Whether the last chroma column or row stands for less than it does elsewhere.
  var hasOddChroma: Bool {
    guard !pixelFormat.isRGB else { return false }
    let (x, y) = (1 << pixelFormat.chromaShiftX, 1 << pixelFormat.chromaShiftY)
    return width % x != 0 || height % y != 0
  }

  /// The size rounded up to whole chroma samples, where the memory of the planes goes that far.
  ///
  /// swscale takes the chroma of a picture of odd size for stretched: over 161 columns the 81
  /// chroma samples would drift by a whole column. Of a size rounded up they do not. What is in
  /// the added column and row matters only to pixels that are thrown away.
  fileprivate var sizeOfWholeChroma: (width: Int, height: Int) {
    guard hasOddChroma else { return (width, height) }
    let (x, y) = (pixelFormat.chromaShiftX, pixelFormat.chromaShiftY)
    let (columns, rows) = (((width - 1) >> x + 1) << x, ((height - 1) >> y + 1) << y)
    let reaches = (0..<planeCount).allSatisfy { index in
      index == 1 || index == 2 || plane(index, reaches: columns, rows)
    }
    return reaches ? (columns, rows) : (width, height)
  }

  private func plane(_ index: Int, reaches columns: Int, _ rows: Int) -> Bool {
    guard let buffer = unsafe av_frame_get_plane_buffer(pointer, Int32(index)) else { return false }
    let (start, stride, _) = unsafe plane(index)
    let rowBytes = Int(av_image_get_linesize(pixelFormat.code, Int32(columns), Int32(index)))
    guard let start = unsafe start, rowBytes <= stride else { return false }
    let end = unsafe buffer.pointee.data + Int(buffer.pointee.size)
    return unsafe start + (stride * (rows - 1) + rowBytes) <= end
  }
}

/// The planes of a frame from one of its rows on; valid while the frame lives.
@unsafe struct Source {
  let planes: [UnsafePointer<UInt8>?]
  let strides: [Int32]

  init(_ frame: Frame, firstRow: Int = 0) {
    let data = unsafe frame.pointer.pointee.data
    let sizes = unsafe frame.pointer.pointee.linesize
    let strides = [sizes.0, sizes.1, sizes.2, sizes.3]
    let format = frame.pixelFormat
    let starts = unsafe [data.0, data.1, data.2, data.3]
    unsafe self.strides = strides
    unsafe planes = (0..<4).map { index in
      // What follows the planes is a palette, which has no rows.
      guard index < format.planeCount else { return unsafe UnsafePointer(starts[index]) }
      let isChroma = (index == 1 || index == 2) && !format.isRGB
      let row = isChroma ? firstRow >> format.chromaShiftY : firstRow
      return unsafe UnsafePointer(starts[index]?.advanced(by: row * Int(strides[index])))
    }
  }
}
