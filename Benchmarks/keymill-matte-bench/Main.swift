import Commands
import Foundation
import Platform

/// Judges mattes by scenes whose transparency is known, keymill's beside those of other keyers.
@main
struct MatteBench: CommandGroup {
  static let name = "keymill-matte-bench"
  static let summary = "Judges mattes by scenes of known transparency"
  static let sections = [CommandSection([MeasureCommand.self])]

  static func main() {
    // An ffmpeg that ends early is told of by its status.
    Signal.brokenPipe.ignore()
    let tree = CommandTree(MatteBench.self) { "keymill-matte-bench" }
    let code = tree.run(Array(CommandLine.arguments.dropFirst())) { error in
      print("keymill-matte-bench: \(error)")
      return .failure
    }
    exit(code.rawValue)
  }
}
