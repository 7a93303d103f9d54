internal import CFFmpeg

/// Turns frames into the packets of one stream.
///
/// ``send(_:)`` a frame, then ``receive(into:)`` until it needs input; at the end
/// ``sendEndOfStream()`` and receive until drained. Calls block while they encode.
@safe public final class Encoder {
  /// What a call for a packet gives.
  public enum Output: Hashable, Sendable {
    /// The packet was filled.
    case packet
    /// Nothing before the next frame is sent.
    case needsInput
    /// Nothing ever again: the end was sent, and every packet was received.
    case drained
  }

  /// The shape of the pictures to encode.
  public struct Video: Hashable, Sendable {
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Their layout in memory; one of ``Encoder/pixelFormats(of:)``.
    public var format: PixelFormat
    /// Seconds per tick of the packets; frames are rescaled to it.
    public var timeBase: Rational
    /// Frames a second, where constant.
    public var frameRate: Rational?
    /// What the numbers mean as colours.
    public var colour: ColourDescription?
    /// The width of a pixel by its height.
    public var sampleAspectRatio = Rational(1, 1)

    /// Creates a shape of square pixels.
    public init(
      width: Int, height: Int, format: PixelFormat, timeBase: Rational,
      frameRate: Rational? = nil, colour: ColourDescription? = nil
    ) {
      self.width = width
      self.height = height
      self.format = format
      self.timeBase = timeBase
      self.frameRate = frameRate
      self.colour = colour
    }
  }

  /// How much an encoder of sound may write.
  public enum SoundRate: Hashable, Sendable {
    /// Bits a second.
    case constant(Int)
    /// A quality on the encoder's own scale (`-q:a` of the `ffmpeg` command).
    case quality(Double)
  }

  /// FFmpeg's name of the encoder.
  public let name: String
  // Owned; open from `init` on.
  let context: UnsafeMutablePointer<AVCodecContext>

  /// Opens an encoder of sound.
  ///
  /// Wraps `avcodec_open2`.
  /// - Parameters:
  ///   - name: FFmpeg's name of the encoder, such as `pcm_s16le`, `flac` or `libmp3lame`.
  ///   - audio: The format of the frames; its sample format one of ``sampleFormats(of:)``.
  ///   - container: Where the packets go to.
  ///   - rate: How much the packets may hold; nil leaves it to the encoder.
  ///   - bitDepth: Bits of each sample that count, where they are fewer than the format has.
  ///   - options: Options of the encoder, as `ffmpeg -h encoder=NAME` lists them.
  /// - Throws: `encoderNotFound`, `optionNotFound`, `invalidArgument`.
  public convenience init(
    _ name: String, audio: AudioFormat, for container: OutputContainer, rate: SoundRate? = nil,
    bitDepth: Int? = nil, options: [String: String] = [:]
  ) throws(FFmpegError) {
    let layout = try ChannelLayout(audio.channelLayout)
    try unsafe self.init(name, for: container, options: options) { context throws(FFmpegError) in
      unsafe context.pointee.sample_fmt = audio.sampleFormat.code
      unsafe context.pointee.sample_rate = Int32(clamping: audio.sampleRate)
      unsafe context.pointee.time_base = AVRational(
        num: 1, den: Int32(clamping: audio.sampleRate))
      switch rate {
      case .constant(let bits): unsafe context.pointee.bit_rate = Int64(bits)
      case .quality(let value):
        unsafe context.pointee.flags |= AV_CODEC_FLAG_QSCALE
        unsafe context.pointee.global_quality = Int32((value * Double(FF_QP2LAMBDA)).rounded())
      case nil: break
      }
      if let bitDepth { unsafe context.pointee.bits_per_raw_sample = Int32(bitDepth) }
      try unsafe layout.copy(to: &context.pointee.ch_layout)
    }
  }

  /// Opens an encoder of pictures.
  ///
  /// Wraps `avcodec_open2`.
  /// - Parameters:
  ///   - name: FFmpeg's name of the encoder, such as `libx264` or `prores_ks`.
  ///   - video: The shape of the frames.
  ///   - container: Where the packets go to.
  ///   - bitRate: Bits a second; nil leaves it to the encoder.
  ///   - threads: Threads to encode with, 0 for one per core.
  ///   - options: Options of the encoder, as `ffmpeg -h encoder=NAME` lists them.
  /// - Throws: `encoderNotFound`, `optionNotFound`, `invalidArgument`.
  public convenience init(
    _ name: String, video: Video, for container: OutputContainer, bitRate: Int64? = nil,
    threads: Int = 1, options: [String: String] = [:]
  ) throws(FFmpegError) {
    try unsafe self.init(name, for: container, options: options) { context in
      unsafe context.pointee.width = Int32(clamping: video.width)
      unsafe context.pointee.height = Int32(clamping: video.height)
      unsafe context.pointee.pix_fmt = video.format.code
      unsafe context.pointee.time_base = AVRational(video.timeBase)
      unsafe context.pointee.sample_aspect_ratio = AVRational(video.sampleAspectRatio)
      unsafe context.pointee.thread_count = Int32(clamping: threads)
      if let rate = video.frameRate { unsafe context.pointee.framerate = AVRational(rate) }
      if let bitRate { unsafe context.pointee.bit_rate = bitRate }
      if let colour = video.colour { unsafe context.setColour(colour) }
    }
  }

  private init(
    _ name: String, for container: OutputContainer, options: [String: String],
    configure: (UnsafeMutablePointer<AVCodecContext>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    guard let codec = unsafe avcodec_find_encoder_by_name(name) else {
      throw FFmpegError(
        code: .encoderNotFound, call: "avcodec_find_encoder_by_name", subject: name)
    }
    unsafe context = try allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    self.name = name
    // From here on `deinit` frees the context, also where a call below throws.
    unsafe context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    if container.wantsGlobalHeaders {
      unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    }
    try unsafe configure(context)
    var options = StringDictionary(options)
    let result = unsafe options.lend { unsafe avcodec_open2(context, codec, $0) }
    try check(result, "avcodec_open2", name)
    try options.refuseUnknown(call: "avcodec_open2", subject: name)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// Seconds per tick of the packets.
  public var timeBase: Rational { unsafe Rational(context.pointee.time_base) }

  /// Samples that each frame of sound must have, the last one aside; nil for any number.
  public var frameSize: Int? {
    let size = unsafe Int(context.pointee.frame_size)
    return size > 0 ? size : nil
  }

  /// Hands over a frame; its time is rescaled to the encoder's.
  ///
  /// Wraps `avcodec_send_frame`.
  public func send(_ frame: Frame) throws(FFmpegError) {
    // Another reference, since the frame itself never changes.
    let sent = try frame.makeReference()
    sent.setTime(frame.pts.map { frame.timeBase.rescale($0, to: timeBase) })
    // What kind of picture it was in the source is not what it shall be here.
    unsafe sent.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    unsafe try check(avcodec_send_frame(context, sent.pointer), "avcodec_send_frame", name)
  }

  /// Says that there are no more frames.
  ///
  /// Wraps `avcodec_send_frame` with null.
  public func sendEndOfStream() throws(FFmpegError) {
    unsafe try check(avcodec_send_frame(context, nil), "avcodec_send_frame", name)
  }

  /// Fills the packet with the next one, if there is one.
  ///
  /// Wraps `avcodec_receive_packet`.
  public func receive(into packet: Packet) throws(FFmpegError) -> Output {
    let result = unsafe avcodec_receive_packet(context, packet.pointer)
    if result == km_error_again { return .needsInput }
    if result == km_error_eof { return .drained }
    try check(result, "avcodec_receive_packet", name)
    return .packet
  }
}

extension UnsafeMutablePointer<AVCodecContext> {
  fileprivate func setColour(_ colour: ColourDescription) {
    unsafe pointee.colorspace = colour.matrix.code
    unsafe pointee.color_range = colour.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    unsafe pointee.color_trc = colour.transfer.code
    unsafe pointee.color_primaries = colour.primaries.code
  }
}
