internal import CFFmpeg

extension Stream {
  /// Copies the facts of one stream of an open demuxer.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>,
    picture header: PictureHeader?
  ) {
    let parameters = unsafe stream.pointee.codecpar.pointee
    let metadata = unsafe StringDictionary.values(of: stream.pointee.metadata)
    let disposition = unsafe stream.pointee.disposition
    let frameCount = unsafe stream.pointee.nb_frames
    unsafe index = Int(stream.pointee.index)
    kind = unsafe Kind(parameters.codec_type)
    codecName = unsafe String(cString: avcodec_get_name(parameters.codec_id))
    hasDecoder = unsafe Decoder.codec(for: parameters.codec_id, metadata: metadata) != nil
    unsafe timeBase = Rational(stream.pointee.time_base)
    startPTS = unsafe knownTicks(stream.pointee.start_time)
    durationTicks = unsafe knownTicks(stream.pointee.duration)
    self.frameCount = frameCount > 0 ? Int(frameCount) : nil
    bitRate = unsafe parameters.bit_rate > 0 ? parameters.bit_rate : nil
    self.metadata = metadata
    isDefault = disposition & AV_DISPOSITION_DEFAULT != 0
    isAttachedPicture = disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    isStillPicture =
      header != nil || isAttachedPicture || (kind == .video && frameCount == 1)
    video =
      kind == .video
      ? unsafe VideoParameters(stream, of: context, metadata: metadata, picture: header) : nil
    audio = kind == .audio ? unsafe AudioParameters(stream.pointee.codecpar) : nil
  }
}

extension Stream.Kind {
  init(_ type: AVMediaType) {
    switch type {
    case AVMEDIA_TYPE_VIDEO: self = .video
    case AVMEDIA_TYPE_AUDIO: self = .audio
    case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
    case AVMEDIA_TYPE_DATA: self = .data
    case AVMEDIA_TYPE_ATTACHMENT: self = .attachment
    default: self = .unknown
    }
  }
}

extension VideoParameters {
  init(
    _ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>,
    metadata: [String: String], picture header: PictureHeader?
  ) {
    let parameters = unsafe stream.pointee.codecpar.pointee
    let format = unsafe PixelFormat(AVPixelFormat(rawValue: parameters.format))
    unsafe width = Int(parameters.width)
    unsafe height = Int(parameters.height)
    pixelFormat = format.code == AV_PIX_FMT_NONE ? nil : format.name
    sampleAspectRatio =
      unsafe Rational(known: av_guess_sample_aspect_ratio(context, stream, nil)) ?? Rational(1, 1)
    averageFrameRate = unsafe Rational(known: stream.pointee.avg_frame_rate)
    colour = unsafe ColourDescription(
      matrix: parameters.color_space, range: parameters.color_range,
      transfer: parameters.color_trc, primaries: parameters.color_primaries, format: format)
    fieldOrder = unsafe FieldOrder(parameters.field_order)
    displayTransform =
      unsafe header?.displayTransform ?? Self.displayTransform(of: stream)
    hasAlphaSideChannel = unsafe Decoder.hasAlphaSideChannel(
      parameters.codec_id, metadata: metadata)
  }

  private static func displayTransform(
    of stream: UnsafeMutablePointer<AVStream>
  ) -> DisplayTransform {
    var size = 0
    let data = unsafe av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
    guard let data = unsafe data else { return .identity }
    return unsafe DisplayTransform(bytes: UnsafeRawBufferPointer(start: data, count: size))
  }
}

extension DisplayTransform {
  /// Reads the nine native integers of a display matrix out of side data.
  init(bytes: UnsafeRawBufferPointer) {
    let count = bytes.count / MemoryLayout<Int32>.size
    self.init(
      displayMatrix: (0..<count).map { index in
        unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
      })
  }
}

extension VideoParameters.FieldOrder {
  init(_ order: AVFieldOrder) {
    // The second letter is the field shown first (TB: top coded first, bottom shown first).
    switch order {
    case AV_FIELD_PROGRESSIVE: self = .progressive
    case AV_FIELD_TT, AV_FIELD_BT: self = .topFirst
    case AV_FIELD_BB, AV_FIELD_TB: self = .bottomFirst
    default: self = .unknown
    }
  }
}

extension AudioParameters {
  init(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    let format = unsafe SampleFormat(AVSampleFormat(rawValue: parameters.pointee.format))
    let frameSize = unsafe Int(parameters.pointee.frame_size)
    unsafe sampleRate = Int(parameters.pointee.sample_rate)
    unsafe channels = Int(parameters.pointee.ch_layout.nb_channels)
    // Players take a file that tells only how many channels there are to have the usual ones.
    let isKnown = unsafe parameters.pointee.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC
    channelLayout =
      unsafe isKnown
      ? ChannelLayout.description(of: &parameters.pointee.ch_layout)
      : AudioFormat.channelLayout(of: channels)
    sampleFormat = format.code == AV_SAMPLE_FMT_NONE ? nil : format.name
    self.frameSize = frameSize > 0 ? frameSize : nil
    bitDepth = unsafe Self.bitDepth(parameters)
    unsafe initialPadding = Int(parameters.pointee.initial_padding)
  }

  private static func bitDepth(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int? {
    guard let codec = unsafe avcodec_descriptor_get(parameters.pointee.codec_id),
      unsafe codec.pointee.props & AV_CODEC_PROP_LOSSLESS != 0
    else { return nil }
    let raw = unsafe parameters.pointee.bits_per_raw_sample
    let bits = unsafe raw > 0 ? raw : parameters.pointee.bits_per_coded_sample
    return bits > 0 ? Int(bits) : nil
  }
}
