internal import CFFmpeg

extension Frame {
  /// Number of planes: of a picture those of its format, of sound one, or one a channel.
  public var planeCount: Int {
    guard let sampleFormat else { return pixelFormat.planeCount }
    return sampleFormat.isPlanar ? channels : 1
  }

  /// Rows of a plane; 1 for audio.
  public func rows(ofPlane index: Int) -> Int {
    if isAudio { return 1 }
    let isChroma = (index == 1 || index == 2) && !pixelFormat.isRGB
    let shift = isChroma ? pixelFormat.chromaShiftY : 0
    return (height + (1 << shift) - 1) >> shift
  }

  /// Bytes that a row of a plane uses; the stride may be longer.
  public func rowBytes(ofPlane index: Int) -> Int {
    if let format = sampleFormat {
      return sampleCount * format.bytesPerSample * (format.isPlanar ? 1 : channels)
    }
    return Int(av_image_get_linesize(pixelFormat.code, Int32(width), Int32(index)))
  }

  /// Lends the bytes of a plane and its stride; the span ends with the call.
  ///
  /// Row y starts at `y * stride`, the top row first; the stride is positive. Components of more
  /// than 8 bits are in the byte order that the format's name says.
  public func withPlane<R, E: Error>(
    _ index: Int, _ body: (_ bytes: Span<UInt8>, _ stride: Int) throws(E) -> R
  ) throws(E) -> R {
    let (start, stride, count) = unsafe plane(index)
    // The frame holds a reference to the buffer, and nothing writes to it (see the type).
    let bytes = unsafe UnsafeBufferPointer(start: UnsafePointer(start), count: count)
    return try body(unsafe bytes.span, stride)
  }

  /// The start, the stride and the used bytes of a plane, all within its buffer.
  func plane(_ index: Int) -> (UnsafeMutablePointer<UInt8>?, stride: Int, count: Int) {
    precondition(index >= 0 && index < planeCount, "a frame has its planes and no more")
    let used = rowBytes(ofPlane: index)
    if isAudio { return unsafe (pointer.pointee.extended_data[index], used, used) }
    let stride = Int(lineSizes[index])
    let count = stride * (rows(ofPlane: index) - 1) + used
    return unsafe (pointer.pointee.extended_data[index], stride, count)
  }

  private var lineSizes: [Int32] {
    let sizes = unsafe pointer.pointee.linesize
    return [sizes.0, sizes.1, sizes.2, sizes.3]
  }
}

extension Frame {
  /// Makes a picture; `fill` gets each plane in turn, of undefined content, to write all of it.
  ///
  /// Row y of a plane starts at `y * stride`. The pixels are fixed once this returns.
  public static func picture(
    width: Int, height: Int, format: PixelFormat, pts: Int64? = nil,
    timeBase: Rational = .microseconds, colour: ColourDescription? = nil,
    sampleAspectRatio: Rational = Rational(1, 1),
    fill: (_ plane: Int, _ bytes: inout MutableSpan<UInt8>, _ stride: Int) -> Void
  ) throws(FFmpegError) -> Frame {
    let frame = try unsafe Frame(
      owning: allocated(av_frame_alloc(), "av_frame_alloc"), timeBase: timeBase)
    let raw = unsafe frame.pointer
    guard let width = Int32(exactly: width), let height = Int32(exactly: height) else {
      throw FFmpegError(
        code: .invalidArgument, call: "av_frame_get_buffer", subject: "\(width)x\(height)")
    }
    unsafe (raw.pointee.width, raw.pointee.height) = (width, height)
    unsafe raw.pointee.format = format.code.rawValue
    unsafe raw.pointee.sample_aspect_ratio = AVRational(sampleAspectRatio)
    frame.setTime(pts)
    if let colour { frame.setColour(colour) }
    try frame.allocateBuffer()
    for index in 0..<frame.planeCount {
      frame.withMutablePlane(index) { bytes, stride in fill(index, &bytes, stride) }
    }
    return frame
  }

  /// Makes interleaved samples; `fill` gets them, of undefined content, to write all of them.
  public static func samples(
    count: Int, format: AudioFormat, pts: Int64? = nil,
    fill: (_ bytes: inout MutableSpan<UInt8>) -> Void
  ) throws(FFmpegError) -> Frame {
    precondition(!format.sampleFormat.isPlanar, "interleaved samples are one plane")
    let frame = try emptySamples(count: count, format: format)
    frame.setTime(pts)
    frame.withMutablePlane(0) { bytes, _ in fill(&bytes) }
    return frame
  }

  /// Samples of undefined content, in the time base of their rate.
  static func emptySamples(
    count: Int, format: AudioFormat
  ) throws(FFmpegError) -> Frame {
    guard let count = Int32(exactly: count), let rate = Int32(exactly: format.sampleRate) else {
      throw FFmpegError(
        code: .invalidArgument, call: "av_frame_get_buffer", subject: "\(count) samples")
    }
    let frame = try unsafe Frame(
      owning: allocated(av_frame_alloc(), "av_frame_alloc"), timeBase: Rational(1, rate))
    let raw = unsafe frame.pointer
    unsafe (raw.pointee.nb_samples, raw.pointee.sample_rate) = (count, rate)
    unsafe raw.pointee.format = format.sampleFormat.code.rawValue
    try unsafe ChannelLayout(format.channelLayout).copy(to: &raw.pointee.ch_layout)
    try frame.allocateBuffer()
    return frame
  }
}

// For frames that this module is still making, before anyone else sees them.
extension Frame {
  func setTime(_ pts: Int64?) {
    unsafe pointer.pointee.pts = pts ?? km_no_pts
  }

  func setColour(_ colour: ColourDescription) {
    unsafe pointer.pointee.colorspace = colour.matrix.code
    unsafe pointer.pointee.color_range = colour.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    unsafe pointer.pointee.color_trc = colour.transfer.code
    unsafe pointer.pointee.color_primaries = colour.primaries.code
  }

  func allocateBuffer() throws(FFmpegError) {
    unsafe try check(av_frame_get_buffer(pointer, 0), "av_frame_get_buffer", "frame")
  }

  private func withMutablePlane(_ index: Int, _ body: (inout MutableSpan<UInt8>, Int) -> Void) {
    let (start, stride, count) = unsafe plane(index)
    let bytes = unsafe UnsafeMutableBufferPointer(start: start, count: count)
    var span = unsafe bytes.mutableSpan
    body(&span, stride)
  }
}
