internal import CFFmpeg

/// How one audio sample is stored, as FFmpeg names it (`s16`, `fltp`, …).
public struct SampleFormat: Hashable, Sendable {
  let code: AVSampleFormat

  init(_ code: AVSampleFormat) {
    self.code = code
  }

  /// Looks a format up by FFmpeg's name, as `ffmpeg -sample_fmts` lists them.
  public init?(named name: String) {
    let code = unsafe av_get_sample_fmt(name)
    guard code != AV_SAMPLE_FMT_NONE else { return nil }
    self.code = code
  }

  /// Signed 16 bits, channels interleaved.
  public static let s16 = SampleFormat(AV_SAMPLE_FMT_S16)
  /// Signed 16 bits, one plane a channel.
  public static let s16Planar = SampleFormat(AV_SAMPLE_FMT_S16P)
  /// Signed 32 bits, channels interleaved.
  public static let s32 = SampleFormat(AV_SAMPLE_FMT_S32)
  /// Float, nominally -1…1, channels interleaved.
  public static let float = SampleFormat(AV_SAMPLE_FMT_FLT)
  /// Float, nominally -1…1, one plane a channel.
  public static let floatPlanar = SampleFormat(AV_SAMPLE_FMT_FLTP)

  /// FFmpeg's name; `unknown` where there is no format.
  public var name: String {
    guard let name = unsafe av_get_sample_fmt_name(code) else { return "unknown" }
    return unsafe String(cString: name)
  }

  /// Whether every channel has a plane of its own.
  public var isPlanar: Bool { av_sample_fmt_is_planar(code) == 1 }

  /// Bytes of one sample of one channel.
  public var bytesPerSample: Int { Int(av_get_bytes_per_sample(code)) }
}

extension SampleFormat: CustomStringConvertible {
  /// FFmpeg's name.
  public var description: String { name }
}

/// The shape of an audio signal.
public struct AudioFormat: Hashable, Sendable {
  /// Samples a second of one channel.
  public var sampleRate: Int
  /// The channels as FFmpeg describes them: `mono`, `stereo`, `5.1(side)`, `3 channels`, ….
  public var channelLayout: String
  /// How one sample is stored.
  public var sampleFormat: SampleFormat

  /// Creates a format.
  public init(sampleRate: Int, channelLayout: String, sampleFormat: SampleFormat) {
    self.sampleRate = sampleRate
    self.channelLayout = channelLayout
    self.sampleFormat = sampleFormat
  }
}

extension AudioFormat {
  /// The usual layout of so many channels, such as `stereo` or `5.1`.
  ///
  /// Wraps `av_channel_layout_default`.
  public static func channelLayout(of channels: Int) -> String {
    var layout = unsafe AVChannelLayout()
    unsafe av_channel_layout_default(&layout, Int32(clamping: channels))
    defer { unsafe av_channel_layout_uninit(&layout) }
    return unsafe ChannelLayout.description(of: &layout)
  }

  /// Number of channels; 0 where the layout is none.
  public var channels: Int { (try? ChannelLayout(channelLayout).channels) ?? 0 }
}

/// An owned channel layout.
@safe struct ChannelLayout: ~Copyable {
  // Owned: custom layouts have a map in memory, which `deinit` frees.
  var value = unsafe AVChannelLayout()

  /// Parses FFmpeg's description of a layout.
  ///
  /// Wraps `av_channel_layout_from_string`.
  init(_ description: String) throws(FFmpegError) {
    unsafe try check(
      av_channel_layout_from_string(&value, description), "av_channel_layout_from_string",
      "channel layout '\(description)'")
  }

  deinit {
    var value = unsafe value
    unsafe av_channel_layout_uninit(&value)
  }

  /// Copies the layout to a place that owns its own.
  ///
  /// Wraps `av_channel_layout_copy`.
  func copy(to place: UnsafeMutablePointer<AVChannelLayout>) throws(FFmpegError) {
    let result = unsafe withUnsafePointer(to: value) { source in
      unsafe av_channel_layout_copy(place, source)
    }
    try check(result, "av_channel_layout_copy", "channel layout")
  }

  var channels: Int { unsafe Int(value.nb_channels) }

  /// FFmpeg's description of a layout.
  ///
  /// Wraps `av_channel_layout_describe`.
  static func description(of layout: UnsafePointer<AVChannelLayout>) -> String {
    var text = [CChar](repeating: 0, count: 256)
    _ = unsafe text.withUnsafeMutableBufferPointer { buffer in
      unsafe av_channel_layout_describe(layout, buffer.baseAddress, buffer.count)
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
