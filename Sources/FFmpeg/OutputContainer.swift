internal import CFFmpeg

/// A media file being written.
///
/// Add the streams, ``start(options:)``, write the packets, ``finish()``. Without the last the
/// file is left incomplete. The same packets give the same bytes: no date and no version of
/// FFmpeg is written.
@safe public final class OutputContainer {
  /// The path it is written to.
  public let path: String
  /// The number of streams added.
  public private(set) var streamCount = 0

  // Owned, and freed before the file that it writes to is closed.
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let io: FileIO
  private var sourceTimeBases: [Rational] = []
  private var pictures: [(stream: Int, packet: Packet)] = []

  /// Creates a file; one that is there already is overwritten.
  /// - Parameters:
  ///   - path: A name, whatever characters it has.
  ///   - formatName: FFmpeg's name of the format (`ffmpeg -muxers`), such as `mp4` or `wav`.
  ///   - metadata: Tags of the file as a whole.
  /// - Throws: `muxerNotFound`, or why the file cannot be created.
  public init(
    path: String, formatName: String, metadata: [String: String] = [:]
  ) throws(FFmpegError) {
    guard let format = unsafe av_guess_format(formatName, nil, nil) else {
      throw FFmpegError(code: .muxerNotFound, call: "av_guess_format", subject: formatName)
    }
    io = try FileIO(writing: path)
    self.path = path
    var context: UnsafeMutablePointer<AVFormatContext>?
    let result = unsafe avformat_alloc_output_context2(
      &context, format, nil, FileIO.url(path))
    try check(result, "avformat_alloc_output_context2", path)
    guard let context = unsafe context else {
      throw outOfMemory("avformat_alloc_output_context2")
    }
    unsafe self.context = context
    unsafe context.pointee.pb = io.pointer
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    var tags = StringDictionary(metadata)
    unsafe context.pointee.metadata = tags.release()
  }

  deinit {
    unsafe avformat_free_context(context)
  }

  /// Whether the format keeps a codec's headers beside the packets; its encoders are told so.
  var wantsGlobalHeaders: Bool {
    unsafe context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0
  }

  /// Adds a stream whose packets come from a file as they are.
  ///
  /// - Parameters:
  ///   - stream: One of the streams of `container`.
  ///   - container: The file; it is used in this call only.
  ///   - metadata: Tags of the stream.
  ///   - timeBase: Seconds per tick of the packets' times, where they are no longer the stream's.
  ///   - initialPadding: The samples before the sound, for formats that keep it in their header.
  /// - Returns: The index of the new stream.
  /// - Throws: `streamNotFound`, or that there is no memory.
  @discardableResult
  public func addStream(
    copying stream: Stream, of container: InputContainer, metadata: [String: String] = [:],
    timeBase: Rational? = nil, initialPadding: Int? = nil
  ) throws(FFmpegError) -> Int {
    guard let source = unsafe container.demuxer.context.pointee.streams[stream.index],
      let parameters = unsafe source.pointee.codecpar
    else {
      throw FFmpegError(
        code: .streamNotFound, call: "avformat_new_stream", subject: container.path)
    }
    let (new, index) = try unsafe addStream(
      timeBase: timeBase ?? stream.timeBase, metadata: metadata)
    try unsafe check(
      avcodec_parameters_copy(new.pointee.codecpar, parameters), "avcodec_parameters_copy", path)
    // Tags are numbered per format: the muxer chooses its own.
    unsafe new.pointee.codecpar.pointee.codec_tag = 0
    if let initialPadding {
      unsafe new.pointee.codecpar.pointee.initial_padding = Int32(clamping: initialPadding)
    }
    unsafe new.pointee.disposition = source.pointee.disposition
    unsafe new.pointee.sample_aspect_ratio = source.pointee.sample_aspect_ratio
    unsafe new.pointee.avg_frame_rate = source.pointee.avg_frame_rate
    return index
  }

  /// Adds a stream whose packets come from an encoder.
  ///
  /// - Returns: The index of the new stream.
  @discardableResult
  public func addStream(
    for encoder: Encoder, metadata: [String: String] = [:]
  ) throws(FFmpegError) -> Int {
    let (new, index) = try unsafe addStream(timeBase: encoder.timeBase, metadata: metadata)
    try unsafe check(
      avcodec_parameters_from_context(new.pointee.codecpar, encoder.context),
      "avcodec_parameters_from_context", path)
    unsafe new.pointee.avg_frame_rate = encoder.context.pointee.framerate
    unsafe new.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
    return index
  }

  /// Adds the picture of a file's tags, if it has this one; ``writePictures()`` writes it.
  ///
  /// - Throws: `invalidArgument` where the format holds no pictures, on ``start(options:)``.
  public func addPicture(
    copying stream: Stream, of container: InputContainer
  ) throws(FFmpegError) {
    guard stream.isAttachedPicture else { return }
    let index = try addStream(copying: stream, of: container, metadata: stream.metadata)
    let packet = try Packet()
    let streams = unsafe container.demuxer.context.pointee.streams
    guard let source = unsafe streams?[stream.index] else { return }
    unsafe try check(
      av_packet_ref(packet.pointer, &source.pointee.attached_pic), "av_packet_ref", path)
    pictures.append((index, packet))
  }

  /// Writes the pictures added, which come before all other packets.
  public func writePictures() throws(FFmpegError) {
    for (index, packet) in pictures { try write(packet, to: index) }
    pictures = []
  }

  /// Writes the header; after this no stream can be added.
  ///
  /// Wraps `avformat_write_header`.
  /// - Parameter options: Options of the format, such as `movflags`.
  /// - Throws: `optionNotFound`, or `invalidArgument` where the format cannot hold a stream.
  public func start(options: [String: String] = [:]) throws(FFmpegError) {
    var options = StringDictionary(options)
    let result = unsafe options.lend { unsafe avformat_write_header(context, $0) }
    try check(result, "avformat_write_header", path)
    try options.refuseUnknown(call: "avformat_write_header", subject: path)
  }

  /// Writes a packet of the stream's source, and leaves the packet empty.
  ///
  /// Packets may come in any order of streams. Wraps `av_interleaved_write_frame`.
  public func write(_ packet: Packet, to stream: Int) throws(FFmpegError) {
    precondition(stream >= 0 && stream < streamCount, "a stream of this container")
    guard let target = unsafe context.pointee.streams[stream] else { return }
    let raw = unsafe packet.pointer
    unsafe raw.pointee.stream_index = Int32(stream)
    // A position in the source is none here.
    unsafe raw.pointee.pos = -1
    unsafe av_packet_rescale_ts(
      raw, AVRational(sourceTimeBases[stream]), target.pointee.time_base)
    unsafe try check(
      av_interleaved_write_frame(context, raw), "av_interleaved_write_frame", path)
  }

  /// Writes what is left, and closes the file.
  ///
  /// Wraps `av_write_trailer`.
  public func finish() throws(FFmpegError) {
    unsafe try check(av_write_trailer(context), "av_write_trailer", path)
    unsafe context.pointee.pb = nil
    try io.close()
  }

  private func addStream(
    timeBase: Rational, metadata: [String: String]
  ) throws(FFmpegError) -> (UnsafeMutablePointer<AVStream>, index: Int) {
    let new = try unsafe allocated(avformat_new_stream(context, nil), "avformat_new_stream")
    var tags = StringDictionary(metadata)
    unsafe new.pointee.metadata = tags.release()
    // A wish; the muxer may choose another.
    unsafe new.pointee.time_base = AVRational(timeBase)
    sourceTimeBases.append(timeBase)
    streamCount += 1
    return unsafe (new, streamCount - 1)
  }
}
