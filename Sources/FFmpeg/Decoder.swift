internal import CFFmpeg

/// Turns the packets of one stream into frames, in the order they are shown.
///
/// Call ``receive()`` until it needs input, then ``send(_:)`` the next packet; at the end of the
/// file ``sendEndOfStream()`` and receive until drained. Calls block while they decode.
@safe public final class Decoder {
  /// What a call for a frame gives.
  public enum Output: Sendable {
    /// The next frame.
    case frame(Frame)
    /// Nothing before the next packet is sent.
    case needsInput
    /// Nothing ever again: the end was sent, and every frame was received.
    case drained
  }

  /// The stream it decodes.
  public let stream: Stream
  /// FFmpeg's name of the decoder, such as `h264` or `libvpx-vp9`.
  public let name: String

  // Both owned: `context` refers to `frameLimits`, and is freed first.
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frameLimits: UnsafeMutablePointer<km_frame_limits>
  private let subject: String
  private let codec: AVCodecID
  private let isInterframeCodec: Bool

  /// Opens the decoder that suits the stream.
  ///
  /// Wraps `avcodec_open2`.
  ///
  /// WebM with alpha is decoded by libvpx, which alone keeps it, and AV1 in software.
  /// - Parameters:
  ///   - stream: One of the streams of `container`.
  ///   - container: The file; it is used in this call only.
  ///   - threads: Threads to decode with, 0 for one per core; with 1 a frame comes out as soon
  ///     as its packet is in.
  ///   - limits: What a frame may ask memory for; by default those of the container.
  ///   - keepsPadding: Whether samples come out that the container says to leave out, marked by
  ///     ``Frame/padding`` and ``Frame/isDiscarded``; else FFmpeg leaves them out.
  /// - Throws: `decoderNotFound`; `overLimit` where the container declares too large a picture.
  public init(
    for stream: Stream, of container: InputContainer, threads: Int = 1,
    limits: DecodeLimits? = nil, keepsPadding: Bool = false
  ) throws(FFmpegError) {
    let limits = limits ?? container.limits
    let subject = "\(container.path), stream \(stream.index) (\(stream.codecName))"
    guard let source = unsafe container.demuxer.context.pointee.streams[stream.index],
      let parameters = unsafe source.pointee.codecpar
    else {
      throw FFmpegError(code: .streamNotFound, call: "avcodec_open2", subject: subject)
    }
    if let video = stream.video,
      let error = limits.refusal(
        width: video.width, height: video.height, call: "avcodec_open2", subject: subject)
    {
      throw error
    }
    let id = unsafe parameters.pointee.codec_id
    guard let codec = unsafe Self.codec(for: id, metadata: stream.metadata) else {
      throw FFmpegError(code: .decoderNotFound, call: "avcodec_find_decoder", subject: subject)
    }
    let context = try unsafe allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    let frameLimits = UnsafeMutablePointer<km_frame_limits>.allocate(capacity: 1)
    unsafe frameLimits.initialize(to: km_frame_limits(limits))
    self.stream = stream
    self.subject = subject
    self.codec = id
    name = unsafe String(cString: codec.pointee.name)
    isInterframeCodec = Self.isInterframe(id)
    unsafe self.context = context
    unsafe self.frameLimits = frameLimits
    // From here on `deinit` frees both, also where a call below throws.
    try unsafe check(
      avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context",
      subject)
    unsafe configure(threads: threads, limits: limits, codec: codec)
    if keepsPadding { unsafe context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL }
    try unsafe check(avcodec_open2(context, codec, nil), "avcodec_open2", subject)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
    unsafe frameLimits.deallocate()
  }

  /// Hands over a packet; the decoder keeps a reference to its data.
  ///
  /// Wraps `avcodec_send_packet`.
  /// - Throws: `invalidData` where the packet is damaged; the next ones may well decode.
  public func send(_ packet: Packet) throws(FFmpegError) {
    try checkDecoding(unsafe avcodec_send_packet(context, packet.pointer), "avcodec_send_packet")
  }

  /// Says that there are no more packets.
  ///
  /// Wraps `avcodec_send_packet` with null.
  public func sendEndOfStream() throws(FFmpegError) {
    try checkDecoding(unsafe avcodec_send_packet(context, nil), "avcodec_send_packet")
  }

  /// Gives the next frame, if there is one.
  ///
  /// Wraps `avcodec_receive_frame`.
  /// - Throws: what ``send(_:)`` throws, where the decoder finds the damage late; go on likewise.
  public func receive() throws(FFmpegError) -> Output {
    let raw = try unsafe allocated(av_frame_alloc(), "av_frame_alloc")
    let frame = unsafe Frame(
      owning: raw, timeBase: stream.timeBase,
      streamTransform: stream.video?.displayTransform ?? .identity,
      isAlphaUnused: codec == AV_CODEC_ID_MJPEG)
    let result = unsafe avcodec_receive_frame(context, raw)
    if result == km_error_again { return .needsInput }
    if result == km_error_eof { return .drained }
    try checkDecoding(result, "avcodec_receive_frame")
    return .frame(try completed(frame))
  }

  /// Forgets all it was sent, to go on elsewhere in the file.
  ///
  /// Wraps `avcodec_flush_buffers`.
  public func reset() {
    unsafe avcodec_flush_buffers(context)
  }

  private func configure(
    threads: Int, limits: DecodeLimits, codec: UnsafePointer<AVCodec>
  ) {
    unsafe context.pointee.pkt_timebase = AVRational(stream.timeBase)
    unsafe context.pointee.thread_count = Int32(clamping: threads)
    unsafe context.pointee.thread_type =
      threads == 1 ? FF_THREAD_SLICE : FF_THREAD_FRAME | FF_THREAD_SLICE
    unsafe km_limit_frames(context, frameLimits)
    // Picture decoders ask for the frame first, and the refusal there can name the size. The
    // others have tables of their own that grow with the size, or bring their own memory.
    let asksFirst = unsafe codec.pointee.capabilities & AV_CODEC_CAP_DR1 != 0
    if isInterframeCodec || !asksFirst {
      unsafe context.pointee.max_pixels = Int64(limits.maxPixels)
    }
  }

  /// Adds what the container knows and the codec does not, and turns bottom-up pictures over.
  private func completed(_ frame: Frame) throws(FFmpegError) -> Frame {
    guard !frame.isAudio else { return frame }
    let raw = unsafe frame.pointer
    if let ratio = stream.video?.sampleAspectRatio, ratio != Rational(1, 1) {
      unsafe raw.pointee.sample_aspect_ratio = AVRational(ratio)
    }
    if codec == AV_CODEC_ID_WEBP, unsafe raw.pointee.chroma_location == AVCHROMA_LOC_UNSPECIFIED {
      unsafe raw.pointee.chroma_location = AVCHROMA_LOC_CENTER
    }
    // Of PNG the mark tells the order of the pixels in the file, not of fields.
    if codec == AV_CODEC_ID_PNG || codec == AV_CODEC_ID_APNG {
      unsafe raw.pointee.interlaced_frame = 0
    }
    // Grey pictures use the whole range where they do not say; grey video does not.
    if isInterframeCodec, unsafe raw.pointee.color_range == AVCOL_RANGE_UNSPECIFIED {
      unsafe raw.pointee.color_range = AVCOL_RANGE_MPEG
    }
    if unsafe raw.pointee.linesize.0 < 0 { try frame.turnOver() }
    return frame
  }

  private func checkDecoding(_ result: Int32, _ call: StaticString) throws(FFmpegError) {
    guard result < 0 else { return }
    let (width, height) = unsafe (
      frameLimits.pointee.refused_width, frameLimits.pointee.refused_height
    )
    if width > 0 {
      // The next packet may fail for another reason.
      unsafe frameLimits.pointee.refused_width = 0
      throw DecodeLimits.error(
        width: Int(width), height: Int(height), call: call, subject: subject)
    }
    try check(result, call, subject)
  }
}

extension Decoder {
  /// The decoder to use for a codec, or null.
  static func codec(
    for id: AVCodecID, metadata: [String: String]
  ) -> UnsafePointer<AVCodec>? {
    if hasAlphaSideChannel(id, metadata: metadata) {
      let name = id == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9"
      if let codec = unsafe avcodec_find_decoder_by_name(name) { return unsafe codec }
    }
    if id == AV_CODEC_ID_AV1 {
      // FFmpeg's own decoder of this name only drives hardware.
      return unsafe avcodec_find_decoder_by_name("libdav1d")
        ?? avcodec_find_decoder_by_name("libaom-av1")
    }
    return unsafe avcodec_find_decoder(id)
  }

  static func hasAlphaSideChannel(_ id: AVCodecID, metadata: [String: String]) -> Bool {
    (id == AV_CODEC_ID_VP8 || id == AV_CODEC_ID_VP9) && metadata["alpha_mode"] == "1"
  }

  private static func isInterframe(_ id: AVCodecID) -> Bool {
    guard let descriptor = unsafe avcodec_descriptor_get(id) else { return true }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY == 0
  }
}

extension km_frame_limits {
  fileprivate init(_ limits: DecodeLimits) {
    self.init(
      max_pixels: Int64(limits.maxPixels), max_bytes: Int64(limits.maxFrameBytes),
      refused_width: 0, refused_height: 0)
  }
}

extension Frame {
  /// Copies a picture that is stored bottom-up, so that its strides are positive.
  fileprivate func turnOver() throws(FFmpegError) {
    let copy = try unsafe allocated(av_frame_alloc(), "av_frame_alloc")
    defer {
      var copy: UnsafeMutablePointer<AVFrame>? = unsafe copy
      unsafe av_frame_free(&copy)
    }
    unsafe copy.pointee.format = pointer.pointee.format
    unsafe (copy.pointee.width, copy.pointee.height) = (
      pointer.pointee.width, pointer.pointee.height
    )
    try unsafe check(av_frame_get_buffer(copy, 0), "av_frame_get_buffer", "frame")
    try unsafe check(av_frame_copy_props(copy, pointer), "av_frame_copy_props", "frame")
    try unsafe check(av_frame_copy(copy, pointer), "av_frame_copy", "frame")
    unsafe av_frame_unref(pointer)
    unsafe av_frame_move_ref(pointer, copy)
  }
}

extension Decoder {
  /// Whether this build of FFmpeg has a decoder of this name.
  public static func exists(_ name: String) -> Bool {
    unsafe avcodec_find_decoder_by_name(name) != nil
  }
}
