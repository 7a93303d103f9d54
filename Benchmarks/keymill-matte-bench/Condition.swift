import Commands

/// How a scene is put before its screen and encoded.
enum Condition: String, CaseIterable, ExpressibleByArgument {
  case crf18, crf1, crf30, full, green, dirty
  case chroma444 = "444"
  case chroma422 = "422"
  case bt709 = "709"
  case tenBit = "10-bit"

  /// The one that the bars of the mattes' quality are for.
  static let base = Condition.crf18

  /// What it is, in a few words.
  var about: String {
    switch self {
    case .crf18: "CRF 18, 4:2:0, BT.601 limited"
    case .crf1: "CRF 1, 4:2:0, BT.601 limited"
    case .crf30: "CRF 30, 4:2:0, BT.601 limited"
    case .full: "CRF 18, 4:2:0, BT.601 full range"
    case .green: "CRF 18, 4:2:0, green screen"
    case .dirty: "CRF 18, 4:2:0, 30 % uneven light and grain"
    case .chroma444: "CRF 18, 4:4:4"
    case .chroma422: "CRF 18, 4:2:2"
    case .bt709: "CRF 18, 4:2:0, BT.709 limited, tagged"
    case .tenBit: "CRF 18, 4:2:0, 10-bit"
    }
  }

  /// The screen's pure colour.
  var key: SIMD3<UInt8> { self == .green ? [0, 255, 0] : [255, 0, 255] }

  /// What the ffmpeg command gets between its input and its output.
  var encoding: [String] {
    let filters =
      self == .bt709
      ? [
        "-vf",
        "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int",
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range",
        "tv",
      ] : []
    return filters + ["-c:v", "libx264", "-crf", quality, "-pix_fmt", pixelFormat]
  }

  private var quality: String {
    switch self {
    case .crf1: "1"
    case .crf30: "30"
    default: "18"
    }
  }

  private var pixelFormat: String {
    switch self {
    case .full: "yuvj420p"
    case .chroma444: "yuv444p"
    case .chroma422: "yuv422p"
    case .tenBit: "yuv420p10le"
    default: "yuv420p"
    }
  }
}
