internal import CFFmpeg

extension Encoder {
  /// Whether this build of FFmpeg has an encoder of this name.
  public static func exists(_ name: String) -> Bool {
    unsafe avcodec_find_encoder_by_name(name) != nil
  }

  /// The sample formats that an encoder takes, its favourite first; empty where it does not say.
  public static func sampleFormats(of name: String) -> [SampleFormat] {
    guard let codec = unsafe avcodec_find_encoder_by_name(name) else { return [] }
    return unsafe values(codec.pointee.sample_fmts, until: AV_SAMPLE_FMT_NONE)
      .map(SampleFormat.init)
  }

  /// The pixel formats that an encoder takes, its favourite first; empty where it does not say.
  public static func pixelFormats(of name: String) -> [PixelFormat] {
    guard let codec = unsafe avcodec_find_encoder_by_name(name) else { return [] }
    return unsafe values(codec.pointee.pix_fmts, until: AV_PIX_FMT_NONE).map(PixelFormat.init)
  }

  /// The sample rates that an encoder takes; empty for any.
  public static func sampleRates(of name: String) -> [Int] {
    guard let codec = unsafe avcodec_find_encoder_by_name(name) else { return [] }
    return unsafe values(codec.pointee.supported_samplerates, until: 0).map { Int($0) }
  }

  /// The channel layouts that an encoder takes; empty for any.
  public static func channelLayouts(of name: String) -> [String] {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      var current = unsafe codec.pointee.ch_layouts
    else { return [] }
    var layouts: [String] = []
    // The list ends with a layout of no channels.
    while unsafe current.pointee.nb_channels > 0 {
      unsafe layouts.append(ChannelLayout.description(of: current))
      unsafe current += 1
    }
    return layouts
  }

  /// Copies a list of the library that ends with a mark.
  private static func values<T: Equatable>(_ start: UnsafePointer<T>?, until end: T) -> [T] {
    guard var current = unsafe start else { return [] }
    var values: [T] = []
    while unsafe current.pointee != end {
      unsafe values.append(current.pointee)
      unsafe current += 1
    }
    return values
  }
}
