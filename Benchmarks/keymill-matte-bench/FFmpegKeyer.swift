import BenchCommands
import MatteTruth

/// A filter of the ffmpeg command, tried with several settings in one run.
struct FFmpegKeyer: Keyer {
  let name: String
  /// What follows the filter's name and the colour.
  let settings: [String]
  /// What stands before the filter.
  let conversion: String
  let filter: String
  let isOurs = false

  func key(_ clip: Clip, judge: (_ setting: String, _ mattes: [MattePicture]) -> Void) throws {
    let names = settings.indices.map { "o\($0)" }
    let branches = zip(settings, names).map { setting, name in
      "[i\(name)]\(filter)=0x\(clip.keyName):\(setting),format=rgba[\(name)]"
    }
    let split = "split=\(names.count)" + names.map { "[i\($0)]" }.joined()
    let graph = "[0:v]\(clip.trim)\(conversion),\(split);" + branches.joined(separator: ";")
    let outputs = names.flatMap { name in
      ["-map", "[\(name)]", "-f", "rawvideo", clip.file(name)]
    }
    try BenchCommand.ffmpeg(["-i", clip.path, "-filter_complex", graph] + outputs).run()
    for (setting, name) in zip(settings, names) {
      judge(setting, try clip.rawFrames(name, channels: 4))
    }
  }

  /// The default, the numbers of ffmpeg's documentation, GPUImage's, and others that serve
  /// one scene or another best.
  static let chromakey = FFmpegKeyer(
    name: "ffmpeg chromakey",
    settings: ["0.01:0", "0.1:0.2", "0.15:0.3", "0.08:0.17"]
      + ["0.05:0.3", "0.08:0.3", "0.12:0.1", "0.12:0.2"],
    conversion: "", filter: "chromakey")

  /// The default, a recipe that many pages repeat, and others that serve one scene or another
  /// best.
  static let colorkey = FFmpegKeyer(
    name: "ffmpeg colorkey",
    settings: ["0.01:0", "0.3:0.2"]
      + ["0.05:0.35", "0.05:0.5", "0.1:0.25", "0.1:0.35", "0.1:0.5", "0.2:0.25", "0.2:0.35"],
    conversion: "", filter: "colorkey")
}
