import FFmpeg

/// Which channels a track gets in a file whose codec does not take its own.
enum ChannelFallback {
  /// The layouts that codecs know, by the number of their channels; where there are two of as many, the
  /// one that more codecs know comes first.
  private static let common = [
    "mono", "stereo", "3.0", "quad", "4.0", "5.0", "5.1", "6.1", "7.1",
  ]

  /// The layouts to try for a track, each once: its own, others of as many channels, then fewer, from
  /// the most on.
  static func layouts(for source: AudioFormat) -> [String] {
    let count = source.channels
    let usual = AudioFormat.channelLayout(of: count)
    // Where nothing says which channel is which, the usual order is meant.
    let isUnknown = source.channelLayout.hasSuffix("channels")
    var layouts = [isUnknown ? usual : source.channelLayout, usual]
    let sized = common.map { layout in (layout, channels(of: layout)) }
    layouts += sized.filter { $0.1 == count }.map(\.0)
    // Of channels without a place nobody knows what to mix where, but all into one or two.
    let most = isUnknown ? 2 : count - 1
    layouts += sized.reversed().filter { $0.1 <= most }.map(\.0)
    var seen: Set<String> = []
    return layouts.filter { seen.insert($0).inserted }
  }

  /// What a change of channels means for the listener, in the words of a note; nil where they are the
  /// same, or have only another name.
  static func words(from source: AudioFormat, to made: AudioFormat) -> String? {
    func name(_ format: AudioFormat) -> Substring { format.channelLayout.prefix { $0 != "(" } }
    let isNamed = !source.channelLayout.hasSuffix("channels") || made.channels != source.channels
    guard isNamed, name(source) != name(made) else { return nil }
    return "\(source.channelLayout) is made \(made.channelLayout)"
  }

  private static func channels(of layout: String) -> Int {
    AudioFormat(sampleRate: 1, channelLayout: layout, sampleFormat: .float).channels
  }
}
