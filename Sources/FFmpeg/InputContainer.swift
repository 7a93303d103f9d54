internal import CFFmpeg

/// An open media file: its facts, and its packets in the order they are stored.
///
/// Only the file itself is read: a playlist or a reference to another file is refused, and a
/// name is a name, whatever characters it has.
@safe public final class InputContainer {
  /// The path it was opened by.
  public let path: String
  /// The size of the file in bytes.
  public let byteSize: Int64
  /// FFmpeg's short name of the format, such as `mov,mp4,m4a,3gp,3g2,mj2` or `png_pipe`.
  public let formatName: String
  /// FFmpeg's name of the format in words.
  public let formatLongName: String
  /// The length in seconds; nil for pictures and where unknown.
  public let duration: Double?
  /// Whether ``duration`` is only a guess from size and bit rate, as of an MP3 without a header.
  public let isDurationEstimated: Bool
  /// The first time of any stream, in seconds.
  public let startTime: Double?
  /// Bits a second, all streams together.
  public let bitRate: Int64?
  /// Tags of the file as a whole.
  public let metadata: [String: String]
  /// Whether the file is one still picture (PNG, JPEG, AVIF, …), and not an animation.
  public let isSinglePicture: Bool
  /// The streams, by index.
  public let streams: [Stream]
  /// The limits it was opened with.
  public let limits: DecodeLimits
  /// What it was opened as; nil where the content told.
  public let beginning: InputBeginning?

  let demuxer: Demuxer
  private var discarded: Set<Int> = []

  /// Opens a file and reads its facts.
  ///
  /// Wraps `avformat_open_input`.
  ///
  /// Picture files are not decoded for this, and no frame over `limits` is. What the file is shows in
  /// its content, unless `beginning` says so.
  /// - Throws: `fileNotFound`, `isDirectory`, `emptyFile`, `notRegularFile` before anything is
  ///   parsed; `invalidData` where the file is no media; `streamNotFound` where it has no stream.
  public init(
    path: String, limits: DecodeLimits = .standard, beginning: InputBeginning? = nil
  ) throws(FFmpegError) {
    let demuxer = try Demuxer(path: path, beginning: beginning)
    self.beginning = beginning
    let byteSize = try FileIO.size(ofRegularFile: path)
    if demuxer.isPictureFormat {
      try Self.refusePictureFile(over: limits, byteSize: byteSize, path: path)
      demuxer.readWholeFileAsOnePacket()
    } else {
      try demuxer.findStreamInfo(limits: limits, path: path)
    }
    self.path = path
    self.limits = limits
    self.byteSize = byteSize
    self.demuxer = demuxer
    let context = unsafe demuxer.context
    let streamCount = unsafe Int(context.pointee.nb_streams)
    guard streamCount > 0 else {
      throw FFmpegError(
        code: .streamNotFound, call: "avformat_find_stream_info", subject: path,
        detail: "The file has no stream that can be read")
    }
    let metadata = unsafe StringDictionary.values(of: context.pointee.metadata)
    let duration = unsafe knownTicks(context.pointee.duration)
    let bitRate = unsafe context.pointee.bit_rate
    formatName = demuxer.formatName
    formatLongName = unsafe String(cString: context.pointee.iformat.pointee.long_name)
    self.metadata = metadata
    isDurationEstimated =
      unsafe context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
    self.duration = duration.map { Rational.microseconds.seconds(of: $0) }
    startTime = unsafe knownTicks(context.pointee.start_time)
      .map { Rational.microseconds.seconds(of: $0) }
    self.bitRate = bitRate > 0 ? bitRate : nil
    let isPicture = unsafe demuxer.isPictureFormat || Self.isStillImageFile(context, metadata)
    isSinglePicture = isPicture
    let header = isPicture ? try PictureHeader(ofFileAt: path, byteSize: byteSize) : nil
    if let header { Self.fillInSize(of: demuxer, from: header) }
    streams = (0..<streamCount).compactMap { index in
      guard let stream = unsafe context.pointee.streams[index] else { return nil }
      return unsafe Stream(stream, of: context, picture: header)
    }
  }

  /// Opens the file once more, as it was opened, from its first packet.
  public func reopened() throws(FFmpegError) -> InputContainer {
    try InputContainer(path: path, limits: limits, beginning: beginning)
  }

  /// Reads the next packet of the streams that are kept.
  ///
  /// Wraps `av_read_frame`.
  /// - Returns: false at the end of the file.
  /// - Throws: an I/O error, or damage that the demuxer cannot step over.
  public func readPacket(into packet: Packet) throws(FFmpegError) -> Bool {
    packet.clear()
    // A demuxer may ask to be called again; one that goes on asking is broken.
    var refusals = 0
    while refusals < 1000 {
      let result = unsafe av_read_frame(demuxer.context, packet.pointer)
      if result == km_error_again {
        refusals += 1
        continue
      }
      if result == km_error_eof {
        try check(demuxer.readError ?? 0, "av_read_frame", path)
        return false
      }
      try check(result, "av_read_frame", path)
      // Packets that were read to find the facts come whether their stream is kept or not.
      guard discarded.contains(packet.streamIndex) else {
        return true
      }
      packet.clear()
    }
    throw FFmpegError(code: .tryAgain, call: "av_read_frame", subject: path)
  }

  /// The bytes of a picture in the file's tags, as they are stored; nil where the stream is none.
  ///
  /// Copies `attached_pic`.
  public func attachedPicture(of stream: Stream) -> [UInt8]? {
    guard stream.isAttachedPicture,
      let source = unsafe demuxer.context.pointee.streams[stream.index],
      let data = unsafe source.pointee.attached_pic.data
    else { return nil }
    // The packet holds `size` bytes and lives as long as the demuxer.
    let count = unsafe Int(source.pointee.attached_pic.size)
    return unsafe Array(UnsafeBufferPointer(start: data, count: count))
  }

  /// Lets the demuxer skip the packets of all streams but these.
  public func discardStreams(except kept: Set<Int>) {
    discarded = Set(streams.indices).subtracting(kept)
    for index in streams.indices {
      unsafe demuxer.context.pointee.streams[index]?.pointee.discard =
        kept.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Goes to the last key frame of `stream` at or before `pts`.
  ///
  /// Wraps `av_seek_frame`.
  ///
  /// Decoders of the file must be ``Decoder/reset()`` before they get the next packet.
  public func seek(to pts: Int64, in stream: Stream) throws(FFmpegError) {
    unsafe try check(
      av_seek_frame(demuxer.context, Int32(stream.index), pts, AVSEEK_FLAG_BACKWARD),
      "av_seek_frame", path)
  }

  /// The stream that a player would choose, cover pictures aside.
  ///
  /// Wraps `av_find_best_stream`.
  public func bestStream(_ kind: Stream.Kind) -> Stream? {
    guard let type = kind.mediaType else { return nil }
    let index = unsafe av_find_best_stream(demuxer.context, type, -1, -1, nil, 0)
    guard index >= 0, streams.indices.contains(Int(index)) else { return nil }
    let best = streams[Int(index)]
    guard best.isAttachedPicture else { return best }
    return streams.first { $0.kind == kind && !$0.isAttachedPicture }
  }
}

extension InputContainer {
  /// How many ticks of a stream an MP4 file has stored, whatever its edit list shows of them; nil
  /// where it does not say.
  ///
  /// Opens the file once more.
  public func storedTicks(of stream: Stream) throws(FFmpegError) -> Int64? {
    let demuxer = try Demuxer(path: path, settings: ["ignore_editlist": "1"])
    guard unsafe stream.index < demuxer.context.pointee.nb_streams,
      let stored = unsafe demuxer.context.pointee.streams[stream.index]
    else { return nil }
    return unsafe knownTicks(stored.pointee.duration)
  }

  /// A picture file is read whole, so it may not be larger than a frame may be.
  private static func refusePictureFile(
    over limits: DecodeLimits, byteSize: Int64, path: String
  ) throws(FFmpegError) {
    guard byteSize > limits.maxFrameBytes else { return }
    throw FFmpegError(
      code: .overLimit, call: "avformat_open_input", subject: path,
      detail: "A picture file of \(byteSize) bytes is over the limit")
  }

  /// Fills in the size of a picture, which FFmpeg leaves open until it decodes.
  private static func fillInSize(of demuxer: Demuxer, from header: PictureHeader) {
    guard let size = header.size,
      let parameters = unsafe demuxer.context.pointee.streams[0]?.pointee.codecpar,
      unsafe parameters.pointee.width == 0
    else { return }
    unsafe parameters.pointee.width = Int32(clamping: size.width)
    unsafe parameters.pointee.height = Int32(clamping: size.height)
  }

  /// Whether an ISO media file is a still picture by its brand (AVIF, HEIF).
  private static func isStillImageFile(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ metadata: [String: String]
  ) -> Bool {
    let brands: Set = ["avif", "mif1", "heic", "heix"]
    guard let brand = metadata["major_brand"], brands.contains(brand) else { return false }
    guard unsafe context.pointee.nb_streams == 1 else { return false }
    return unsafe (context.pointee.streams[0]?.pointee.nb_frames ?? 0) <= 1
  }
}

extension Stream.Kind {
  fileprivate var mediaType: AVMediaType? {
    switch self {
    case .video: AVMEDIA_TYPE_VIDEO
    case .audio: AVMEDIA_TYPE_AUDIO
    case .subtitle: AVMEDIA_TYPE_SUBTITLE
    case .data: AVMEDIA_TYPE_DATA
    case .attachment: AVMEDIA_TYPE_ATTACHMENT
    case .unknown: nil
    }
  }
}

/// What a file is and where that begins, for one whose beginning says something else.
public struct InputBeginning: Hashable, Sendable {
  /// FFmpeg's short name of the format, such as `mp3`.
  public let formatName: String
  /// The first byte of it in the file.
  public let offset: Int

  /// A beginning that somebody has found.
  public init(formatName: String, offset: Int) {
    self.formatName = formatName
    self.offset = offset
  }
}
