internal import CFFmpeg

/// Converts pictures to another pixel format, size or both, with the colours meant by the file.
///
/// YUV is decoded by the frame's own matrix and range (``ColourDescription/resolvedMatrix``
/// where it states none) and the chroma location it states (left where it states none). RGB of
/// 8 bits passes unchanged at its own size. Transfer curve and primaries stay as they are, and
/// stored pixels are not turned. Alpha is straight and is scaled apart from the colour, so a
/// picture with transparent parts is better premultiplied before it is scaled down.
///
/// The conversion is set up once and reused for as long as frames of the same shape come.
@safe public final class Scaler {
  // Owned; null before the first conversion.
  private var context: OpaquePointer?
  private var current: Conversion?
  private var scratch: [UInt8] = []

  /// Creates a scaler.
  public init() {
    unsafe context = nil
  }

  deinit {
    unsafe sws_freeContext(context)
  }

  /// Converts a picture to RGBA (8 bits each, full range, straight alpha) of the given size.
  /// - Parameters:
  ///   - frame: A picture of any format and size.
  ///   - width: Columns of the result.
  ///   - height: Rows of the result.
  ///   - pixels: Where to write; row y starts at byte `y * stride`, bytes between rows are left.
  ///   - stride: Bytes from one row to the next, at least `width * 4`.
  /// - Throws: `invalidArgument` where swscale cannot convert the format.
  public func convertToRGBA(
    _ frame: Frame, width: Int, height: Int, into pixels: inout MutableSpan<UInt8>, stride: Int
  ) throws(FFmpegError) {
    try unsafe pixels.withUnsafeMutableBytes { bytes throws(FFmpegError) in
      try unsafe convert(frame, width: width, height: height, into: bytes, stride: stride)
    }
  }

  /// Converts a picture to RGBA of the given size, as bytes would be, into pixels in rows without
  /// gaps.
  public func convertToRGBA(
    _ frame: Frame, width: Int, height: Int, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) throws(FFmpegError) {
    try unsafe pixels.withUnsafeMutableBytes { bytes throws(FFmpegError) in
      try unsafe convert(frame, width: width, height: height, into: bytes, stride: width * 4)
    }
  }

  /// Converts some rows of a picture to RGBA at its own size, so that a large picture need not be
  /// in memory as a whole; the same to the bit as a conversion of the whole.
  /// - Parameters:
  ///   - frame: A picture of any format and size.
  ///   - rows: Rows of `frame`; bands that start at multiples of 8 are fastest.
  ///   - pixels: Where to write; the first of `rows` starts at byte 0, the next at `stride`.
  ///   - stride: Bytes from one row to the next, at least `frame.width * 4`.
  /// - Throws: `invalidArgument` where swscale cannot convert the format.
  public func convertRowsToRGBA(
    _ frame: Frame, rows: Range<Int>, into pixels: inout MutableSpan<UInt8>, stride: Int
  ) throws(FFmpegError) {
    try unsafe pixels.withUnsafeMutableBytes { bytes throws(FFmpegError) in
      try unsafe convert(frame, rows: rows, into: bytes, stride: stride)
    }
  }

  /// Converts some rows of a picture to RGBA at its own size, as bytes would be, into pixels in
  /// rows without gaps.
  public func convertRowsToRGBA(
    _ frame: Frame, rows: Range<Int>, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) throws(FFmpegError) {
    try unsafe pixels.withUnsafeMutableBytes { bytes throws(FFmpegError) in
      try unsafe convert(frame, rows: rows, into: bytes, stride: frame.width * 4)
    }
  }

  /// Converts a picture to a new frame of the given format and size.
  /// - Parameters:
  ///   - frame: A picture of any format and size.
  ///   - format: The format of the result.
  ///   - width: Columns of the result; by default those of `frame`.
  ///   - height: Rows of the result; by default those of `frame`.
  ///   - colour: What the numbers of the result shall mean; by default the same as before, with
  ///     an unstated matrix resolved. RGB becomes YUV of limited range by default.
  /// - Returns: A frame of its own, with the times of `frame`.
  /// - Throws: `invalidArgument` where swscale cannot convert between the formats.
  public func convert(
    _ frame: Frame, to format: PixelFormat, width: Int? = nil, height: Int? = nil,
    colour: ColourDescription? = nil
  ) throws(FFmpegError) -> Frame {
    let (width, height) = (width ?? frame.width, height ?? frame.height)
    let conversion = Conversion(
      from: frame, to: format, width: width, height: height, colour: colour)
    let result = try Frame.picture(
      width: width, height: height, format: format, pts: frame.pts, timeBase: frame.timeBase,
      colour: conversion.targetColour, sampleAspectRatio: frame.sampleAspectRatio
    ) { _, _, _ in }
    unsafe result.pointer.pointee.pkt_duration = frame.duration ?? 0
    try prepare(conversion)
    try unsafe scale(Source(frame), to: result, conversion)
    return result
  }
}

extension Scaler {
  private func convert(
    _ frame: Frame, width: Int, height: Int, into pixels: UnsafeMutableRawBufferPointer,
    stride: Int
  ) throws(FFmpegError) {
    requireRoom(in: pixels.count, width: width, height: height, stride: stride)
    let conversion = Conversion(from: frame, to: .rgba, width: width, height: height)
    try prepare(conversion)
    try unsafe scale(Source(frame), to: pixels, stride: stride, conversion)
  }

  private func convert(
    _ frame: Frame, rows: Range<Int>, into pixels: UnsafeMutableRawBufferPointer, stride: Int
  ) throws(FFmpegError) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= frame.height, "rows of the frame")
    requireRoom(in: pixels.count, width: frame.width, height: rows.count, stride: stride)
    guard !rows.isEmpty else { return }
    let padded = paddedRows(rows, of: frame)
    var conversion = Conversion(from: frame, to: .rgba, width: frame.width, height: padded.count)
    conversion.sourceHeight = padded.count
    try prepare(conversion)
    let source = unsafe Source(frame, firstRow: padded.lowerBound)
    if padded == rows {
      try unsafe scale(source, to: pixels, stride: stride, conversion)
    } else {
      try unsafe scalePadded(source, padded, to: pixels, rows, stride: stride, conversion)
    }
  }

  private func requireRoom(in byteCount: Int, width: Int, height: Int, stride: Int) {
    precondition(width >= 0 && height >= 0 && stride >= width * 4, "a row fits its stride")
    precondition(byteCount >= stride * (height - 1) + width * 4, "the rows fit the span")
  }

  /// The rows to convert for the sake of `rows`: vertical chroma filters look beyond them, and
  /// dithering repeats every 8.
  private func paddedRows(_ rows: Range<Int>, of frame: Frame) -> Range<Int> {
    // 8 rows hold four chroma rows of 4:2:0, all that the filter reaches.
    let reach = frame.pixelFormat.chromaShiftY > 0 ? 8 << (frame.pixelFormat.chromaShiftY - 1) : 0
    let first = max(0, rows.lowerBound - reach) & ~7
    let end = (rows.upperBound + reach + 7) & ~7
    return first..<(reach == 0 ? rows.upperBound : min(frame.height, end))
  }

  private func prepare(_ conversion: Conversion) throws(FFmpegError) {
    guard conversion != current else { return }
    unsafe sws_freeContext(context)
    unsafe context = nil
    current = nil
    unsafe context = try conversion.makeContext()
    current = conversion
  }

  /// Converts padded rows to scratch memory, and copies those that are wanted.
  private func scalePadded(
    _ source: Source, _ padded: Range<Int>, to pixels: UnsafeMutableRawBufferPointer,
    _ rows: Range<Int>, stride: Int, _ conversion: Conversion
  ) throws(FFmpegError) {
    let rowBytes = conversion.width * 4
    var scratch = takeScratch(atLeast: rowBytes * padded.count)
    defer { self.scratch = scratch }
    var span = scratch.mutableSpan
    try unsafe span.withUnsafeMutableBytes { scratch throws(FFmpegError) in
      try unsafe scale(source, to: scratch, stride: rowBytes, conversion)
      for row in rows {
        let start = (row - padded.lowerBound) * rowBytes
        let place = (row - rows.lowerBound) * stride
        unsafe UnsafeMutableRawBufferPointer(rebasing: pixels[place..<(place + rowBytes)])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: scratch[start..<(start + rowBytes)]))
      }
    }
  }

  /// Takes the scratch memory out, so that it is not copied when written; the caller puts it back.
  private func takeScratch(atLeast count: Int) -> [UInt8] {
    defer { scratch = [] }
    return scratch.count >= count ? scratch : [UInt8](repeating: 0, count: count)
  }

  private func scale(
    _ source: Source, to pixels: UnsafeMutableRawBufferPointer, stride: Int,
    _ conversion: Conversion
  ) throws(FFmpegError) {
    let start = unsafe pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
    try unsafe scale(
      source, to: [start, nil, nil, nil], strides: [Int32(clamping: stride), 0, 0, 0], conversion)
  }

  private func scale(
    _ source: Source, to frame: Frame, _ conversion: Conversion
  ) throws(FFmpegError) {
    let data = unsafe frame.pointer.pointee.data
    let sizes = unsafe frame.pointer.pointee.linesize
    let planes = unsafe [data.0, data.1, data.2, data.3]
    try unsafe scale(
      source, to: planes, strides: [sizes.0, sizes.1, sizes.2, sizes.3], conversion)
  }

  private func scale(
    _ source: Source, to target: [UnsafeMutablePointer<UInt8>?], strides: [Int32],
    _ conversion: Conversion
  ) throws(FFmpegError) {
    let rows = unsafe sws_scale(
      context, source.planes, source.strides, 0, Int32(conversion.sourceHeight), target, strides)
    try check(rows, "sws_scale", conversion.description)
  }
}

/// The planes of a frame from one of its rows on; valid while the frame lives.
@unsafe private struct Source {
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
