import BenchCommands
import Foundation
import ImageFiles
import Imaging
import MatteTruth

/// keymill's own command.
struct KeymillKeyer: Keyer {
  let program: String
  let mode: Mode

  /// What the recipe says.
  enum Mode {
    /// Nothing but that the screen is to be found.
    case automatic
    /// GPUImage's formula with its defaults, and the screen's colour.
    case gpuimage
  }

  var name: String { mode == .automatic ? "keymill" : "keymill, mode gpuimage" }
  let isOurs = true

  func key(_ clip: Clip, judge: (_ setting: String, _ mattes: [MattePicture]) -> Void) throws {
    let recipe = clip.room.appendingPathComponent("recipe.json")
    let output = clip.room.appendingPathComponent("keymill")
    defer { try? FileManager.default.removeItem(at: output) }
    try Data(document(for: clip).utf8).write(to: recipe)
    try BenchCommand([program, "run", recipe.path, clip.path, "-o", output.path]).run()
    let frames = output.appendingPathComponent("clip/frames")
    let mattes = try clip.judged.map { index in
      let file = frames.appendingPathComponent(String(format: "%06d.png", index + 1))
      let image = try PNGReader.read(path: file.path).image
      return MattePicture(width: image.width, height: image.height, straight: image.pixels)
    }
    judge("", mattes)
  }

  private func document(for clip: Clip) -> String {
    switch mode {
    case .automatic: #"{"key": {"color": "auto"}}"#
    case .gpuimage: ##"{"key": {"color": "#\##(clip.keyName)", "mode": "gpuimage"}}"##
    }
  }
}
