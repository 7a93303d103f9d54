/// The file format that a copied track goes into: the one that players know the codec by.
struct AudioContainer: Equatable {
  /// The file name's extension.
  let fileExtension: String
  /// FFmpeg's name of the muxer.
  let muxer: String
  /// Names under which FFmpeg's demuxers know a file that is nothing but such a track.
  let demuxers: Set<String>

  /// The natural container of a codec; Matroska for those that have none of their own.
  init(codec: String) {
    switch codec {
    case "mp3": self.init("mp3", "mp3", ["mp3"])
    case "mp2": self.init("mp2", "mp2", ["mp3"])
    case "aac", "alac": self.init("m4a", "ipod", ["mov"])
    case "opus": self.init("opus", "opus", ["ogg"])
    case "vorbis": self.init("ogg", "ogg", ["ogg"])
    case "flac": self.init("flac", "flac", ["flac"])
    case "ac3": self.init("ac3", "ac3", ["ac3"])
    case "eac3": self.init("eac3", "eac3", ["eac3"])
    case "dts": self.init("dts", "dts", ["dts"])
    case "amr_nb", "amr_wb": self.init("amr", "amr", ["amr"])
    case "wavpack": self.init("wv", "wv", ["wv"])
    case "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_u8", "pcm_f32le", "pcm_f64le":
      self.init("wav", "wav", ["wav"])
    case "pcm_s16be", "pcm_s24be", "pcm_s32be", "pcm_s8", "pcm_f32be", "pcm_f64be":
      self.init("aiff", "aiff", ["aiff"])
    case "tta": self.init("tta", "tta", ["tta"])
    case "gsm": self.init("gsm", "gsm", ["gsm"])
    case "sbc": self.init("sbc", "sbc", ["sbc"])
    case "adpcm_ima_qt": self.init("mov", "mov", [])
    case "nellymoser", "adpcm_swf": self.init("flv", "flv", [])
    default: self.init("mka", "matroska", [])
    }
  }

  private init(_ fileExtension: String, _ muxer: String, _ demuxers: Set<String>) {
    self.fileExtension = fileExtension
    self.muxer = muxer
    self.demuxers = demuxers
  }

  /// Whether a file of this demuxer's format with no other track is already what `copy` makes, so
  /// that its bytes can be taken as they are, tags and cover with them.
  func isNative(formatName: String) -> Bool {
    formatName.split(separator: ",").contains { demuxers.contains(String($0)) }
  }

  /// Whether the muxer takes a cover picture as a stream of its own.
  var takesPicture: Bool { ["mp3", "ipod", "flac"].contains(muxer) }

  /// Whether a cover picture goes into its tags, as `METADATA_BLOCK_PICTURE`.
  var takesPictureTag: Bool { ["ogg", "opus"].contains(muxer) }

  /// The muxer's options for a track of this rate.
  func muxerOptions(sampleRate: Int?) -> [String: String] {
    switch muxer {
    case "wav": return ["rf64": "auto"]
    case "mp3": return ["id3v2_version": "3"]
    case "ipod":
      var options = ["movflags": "+faststart"]
      // Edit lists count in the film's time: with the sound's own ticks they are exact.
      if let sampleRate, sampleRate > 0 { options["movie_timescale"] = String(sampleRate) }
      return options
    default: return [:]
    }
  }
}
