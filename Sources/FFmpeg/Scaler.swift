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
  var scratch: [UInt8] = []

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
    unsafe result.pointer.pointee.chroma_location = frame.pointer.pointee.chroma_location
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
    if (width, height) == (frame.width, frame.height), frame.hasOddChroma {
      return try unsafe convertInBands(frame, into: pixels, stride: stride)
    }
    let conversion = Conversion(from: frame, to: .rgba, width: width, height: height)
    try prepare(conversion)
    try unsafe scale(Source(frame), to: pixels, stride: stride, conversion)
  }

  func requireRoom(in byteCount: Int, width: Int, height: Int, stride: Int) {
    precondition(width >= 0 && height >= 0 && stride >= width * 4, "a row fits its stride")
    precondition(byteCount >= stride * (height - 1) + width * 4, "the rows fit the span")
  }

  func prepare(_ conversion: Conversion) throws(FFmpegError) {
    guard conversion != current else { return }
    unsafe sws_freeContext(context)
    unsafe context = nil
    current = nil
    unsafe context = try conversion.makeContext()
    current = conversion
  }

  func scale(
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
