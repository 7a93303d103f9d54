internal import CFFmpeg

/// A decoded picture, or a run of decoded samples.
///
/// Its pixels never change once the frame is handed out; several frames may share them. That makes
/// it `Sendable`: nobody writes to the `AVFrame` any more, and FFmpeg counts the references to its
/// buffers atomically.
@safe public final class Frame: @unchecked Sendable {
  // Owned: allocated before `init`, freed in `deinit`.
  let pointer: UnsafeMutablePointer<AVFrame>
  /// Seconds per tick of ``pts`` and ``duration``.
  public let timeBase: Rational
  private let streamTransform: DisplayTransform
  private let isAlphaUnused: Bool

  /// Takes over a filled `AVFrame`.
  init(
    owning pointer: UnsafeMutablePointer<AVFrame>, timeBase: Rational,
    streamTransform: DisplayTransform = .identity, isAlphaUnused: Bool = false
  ) {
    unsafe self.pointer = pointer
    self.timeBase = timeBase
    self.streamTransform = streamTransform
    self.isAlphaUnused = isAlphaUnused
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = unsafe pointer
    unsafe av_frame_free(&pointer)
  }

  /// Another frame on the same pixels, which live as long as the last of them.
  ///
  /// Wraps `av_frame_clone`.
  public func makeReference() throws(FFmpegError) -> Frame {
    let clone = try unsafe allocated(av_frame_clone(pointer), "av_frame_clone")
    return unsafe Frame(
      owning: clone, timeBase: timeBase, streamTransform: streamTransform,
      isAlphaUnused: isAlphaUnused)
  }
}

extension Frame {
  /// Another frame on the same pixels, whose codes are said to be made with another matrix.
  public func assuming(_ matrix: ColourDescription.Matrix) throws(FFmpegError) -> Frame {
    let frame = try makeReference()
    unsafe frame.pointer.pointee.colorspace = matrix.code
    return frame
  }
}

// MARK: Time and state

extension Frame {
  /// When it is shown, in ticks of ``timeBase``: FFmpeg's best estimate.
  public var pts: Int64? {
    unsafe knownTicks(pointer.pointee.best_effort_timestamp) ?? knownTicks(pointer.pointee.pts)
  }

  /// How long it is shown, in ticks of ``timeBase``; nil where unknown.
  public var duration: Int64? {
    let duration = unsafe pointer.pointee.pkt_duration
    return duration > 0 ? duration : nil
  }

  /// When it is shown, in seconds.
  public var seconds: Double? { pts.map(timeBase.seconds) }

  /// Whether it was decoded without reference to others.
  public var isKeyFrame: Bool { unsafe pointer.pointee.key_frame != 0 }

  /// Whether the decoder met damage in it; the picture may be wrong in places.
  public var hasDecodeErrors: Bool {
    unsafe pointer.pointee.decode_error_flags != 0
      || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
  }

  /// Whether its lines belong to two moments.
  public var isInterlaced: Bool { unsafe pointer.pointee.interlaced_frame != 0 }

  /// Whether the upper of two fields is the earlier one.
  public var isTopFieldFirst: Bool { unsafe pointer.pointee.top_field_first != 0 }
}

// MARK: Picture

extension Frame {
  /// Where the chroma samples lie between those of luma.
  public enum ChromaLocation: Hashable, Sendable {
    /// On the left luma column, between rows (MPEG-2 and later; the default of video).
    case left
    /// In the middle of four (JPEG, MPEG-1).
    case center
    /// On the left column and the upper row (BT.2020 UHD).
    case topLeft
    /// The file does not say.
    case unspecified
  }

  /// Columns; 0 for audio.
  public var width: Int { unsafe Int(pointer.pointee.width) }

  /// Rows; 0 for audio.
  public var height: Int { unsafe Int(pointer.pointee.height) }

  /// The layout of the picture in memory.
  public var pixelFormat: PixelFormat {
    isAudio ? PixelFormat(AV_PIX_FMT_NONE) : unsafe PixelFormat(.init(pointer.pointee.format))
  }

  /// Whether alpha has a meaning.
  ///
  /// A format may have room for alpha that is none: FFmpeg decodes CMYK JPEG to `yuva444p`, with
  /// 255 in every place.
  public var hasAlpha: Bool { pixelFormat.hasAlpha && !isAlphaUnused }

  /// The width of a pixel by its height; 1/1 where the file does not say.
  public var sampleAspectRatio: Rational {
    unsafe Rational(known: pointer.pointee.sample_aspect_ratio) ?? Rational(1, 1)
  }

  /// What the numbers mean as colours.
  public var colour: ColourDescription {
    unsafe ColourDescription(
      matrix: pointer.pointee.colorspace, range: pointer.pointee.color_range,
      transfer: pointer.pointee.color_trc, primaries: pointer.pointee.color_primaries,
      format: pixelFormat)
  }

  /// Where the chroma samples lie.
  public var chromaLocation: ChromaLocation {
    switch unsafe pointer.pointee.chroma_location {
    case AVCHROMA_LOC_LEFT: .left
    case AVCHROMA_LOC_CENTER: .center
    case AVCHROMA_LOC_TOPLEFT: .topLeft
    default: .unspecified
    }
  }

  /// How the pixels are turned to stand upright: what the picture itself says (EXIF of JPEG), or
  /// else its stream.
  public var displayTransform: DisplayTransform {
    guard let data = unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX) else {
      return streamTransform
    }
    return unsafe DisplayTransform(
      bytes: UnsafeRawBufferPointer(start: data.pointee.data, count: data.pointee.size))
  }
}

// MARK: Sound

extension Frame {
  /// Whether it holds samples rather than a picture.
  public var isAudio: Bool { sampleCount > 0 }

  /// Samples of each channel; 0 for pictures.
  public var sampleCount: Int { unsafe Int(pointer.pointee.nb_samples) }

  /// Number of channels; 0 for pictures.
  public var channels: Int { unsafe Int(pointer.pointee.ch_layout.nb_channels) }

  /// Samples a second of one channel; 0 for pictures.
  public var sampleRate: Int { unsafe Int(pointer.pointee.sample_rate) }

  /// How one sample is stored; nil for pictures.
  public var sampleFormat: SampleFormat? {
    isAudio ? unsafe SampleFormat(AVSampleFormat(pointer.pointee.format)) : nil
  }

  /// The shape of the sound; nil for pictures.
  public var audioFormat: AudioFormat? {
    guard let sampleFormat else { return nil }
    let layout = unsafe ChannelLayout.description(of: &pointer.pointee.ch_layout)
    return AudioFormat(
      sampleRate: sampleRate, channelLayout: layout, sampleFormat: sampleFormat)
  }
}
