import FFmpeg
import Recipes

/// How a format of the recipe is encoded: by which encoder, into which file, at which rate.
struct SoundEncoding {
  /// FFmpeg's name of the encoder.
  let encoder: String
  /// FFmpeg's name of the codec, for the manifest.
  let codec: String
  /// The file that it goes into.
  let container: AudioContainer

  /// The encoding of a format; nil for those that are no sound files of their own.
  ///
  /// `bits` are those of a sample in the formats without loss: 16 or 24.
  init?(_ format: AudioSection.Format, bits: Int) {
    switch format {
    case .wav:
      codec = bits > 16 ? "pcm_s24le" : "pcm_s16le"
      encoder = codec
    case .flac: (codec, encoder) = ("flac", "flac")
    case .mp3: (codec, encoder) = ("mp3", "libmp3lame")
    case .m4a: (codec, encoder) = ("aac", "aac")
    case .opus: (codec, encoder) = ("opus", "libopus")
    case .copy, .peaks, .spectrogram, .cover: return nil
    }
    container = AudioContainer(codec: codec)
  }

  /// The formats in which the encoder may take the sound, the one nearest to its own first.
  ///
  /// A rate that it does not take becomes the next higher one. Not every encoder tells which channels it
  /// takes, so there are several to be tried: the sound's own, others of as many, and then the most that
  /// are fewer.
  func formats(for source: AudioFormat, bits: Int) -> [AudioFormat] {
    var format = source
    let rates = Encoder.sampleRates(of: encoder)
    if !rates.isEmpty, !rates.contains(source.sampleRate) {
      let higher = rates.filter { $0 > source.sampleRate }.min()
      format.sampleRate = higher ?? rates.max() ?? source.sampleRate
    }
    format.sampleFormat = sampleFormat(for: source.sampleFormat, bits: bits)
    let known = Encoder.channelLayouts(of: encoder)
    return ChannelFallback.layouts(for: source)
      .filter { known.isEmpty || known.contains($0) }
      .map { layout in
        var format = format
        format.channelLayout = layout
        return format
      }
  }

  private func sampleFormat(for source: SampleFormat, bits: Int) -> SampleFormat {
    if codec == "flac" || codec.hasPrefix("pcm_") { return bits > 16 ? .s32 : .s16 }
    let formats = Encoder.sampleFormats(of: encoder)
    if formats.contains(source) { return source }
    return formats.contains(.floatPlanar) ? .floatPlanar : formats.last ?? .float
  }

  /// How much the encoder may write of sound in `format`; nil where it is without loss.
  func rate(_ wanted: AudioSection.Rate, for format: AudioFormat) -> Encoder.SoundRate? {
    let channels = max(1, format.channels)
    switch codec {
    case "mp3":
      switch wanted {
      // LAME's V2, some 190 kbit/s of stereo, is where listening tests stop to tell it apart.
      case .standard: return .quality(2)
      case .bits(let bits): return .constant(bits)
      case .quality(let quality): return .quality(Self.scale(quality, from: 9.9, to: 0))
      }
    case "aac", "opus":
      let isOpus = codec == "opus"
      let (least, usual, most) = isOpus ? (12.0, 64.0, 160.0) : (24.0, 96.0, 192.0)
      let perChannel =
        switch wanted {
        case .standard: usual
        case .quality(let quality): Self.scale(quality, from: least, to: most)
        case .bits(let bits): Double(bits) / 1000 / Double(channels)
        }
      // AAC has room for 6144 bits a frame of 1024 samples; opus for 256 kbit/s a channel.
      let limit = isOpus ? 256.0 : Double(format.sampleRate) * 5.9 / 1000
      return .constant(Int(min(perChannel, limit) * 1000) * channels)
    default: return nil
    }
  }

  /// The place of a quality of 1…100 on a straight line.
  private static func scale(_ quality: Int, from worst: Double, to best: Double) -> Double {
    worst + (best - worst) * Double(quality - 1) / 99
  }
}
