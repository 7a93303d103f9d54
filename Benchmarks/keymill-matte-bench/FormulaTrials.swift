import BenchCommands
import MatteTruth

/// A formula on RGB whose chroma swscale made smooth, tried with several settings.
struct FormulaTrials: Keyer {
  let name: String
  let settings: [(label: String, formula: any FormulaKeyer)]
  let isOurs = false

  func key(_ clip: Clip, judge: (_ setting: String, _ mattes: [MattePicture]) -> Void) throws {
    let scale = "scale=flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
    try BenchCommand.ffmpeg([
      "-i", clip.path, "-vf", "\(clip.trim),\(scale),format=rgb24", "-f", "rawvideo",
      clip.file("rgb"),
    ]).run()
    let frames = try clip.rawFrames("rgb", channels: 3)
    for (label, formula) in settings {
      judge(label, frames.map { formula.matte(of: $0, key: clip.key) })
    }
  }

  /// The library's default, numbers in wide use, and others that serve one scene or another best.
  static let gpuimage = FormulaTrials(
    name: "GPUImage",
    settings: [
      (0.4, 0.1), (0.15, 0.3), (0.05, 0.35), (0.05, 0.45), (0.1, 0.3), (0.1, 0.4), (0.2, 0.25),
    ]
    .map { threshold, smoothing in
      (
        "\(threshold)/\(smoothing)",
        GPUImageFormula(threshold: threshold, smoothing: smoothing)
      )
    })

  /// The program's default, and others that serve one scene or another best.
  static let obs = FormulaTrials(
    name: "OBS",
    settings: [
      (0.4, 0.08, 0.1), (0.1, 0.3, 0.3), (0.05, 0.3, 0.3), (0.05, 0.4, 0.3), (0.1, 0.2, 0.2),
      (0.1, 0.3, 0.1), (0.15, 0.3, 0.3),
    ].map { similarity, smoothness, spill in
      (
        "\(similarity)/\(smoothness)/\(spill)",
        OBSFormula(similarity: similarity, smoothness: smoothness, spill: spill)
      )
    })

  /// Without and with the ends clipped.
  static let colorDifference = FormulaTrials(
    name: "colour difference, un-mixed",
    settings: [(0, 1), (0.03, 0.97), (0.05, 0.9), (0.1, 0.95), (0.1, 0.8), (0.25, 0.9)].map {
      black, white in
      ("\(black)/\(white)", ColorDifferenceFormula(black: black, white: white))
    })
}
