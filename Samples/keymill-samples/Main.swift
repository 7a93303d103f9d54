import Foundation
import SampleScenes

/// Writes the media in `samples/`, or the bench's clip, through the `ffmpeg` command.
@main
struct Main {
  static let usage = """
    usage: keymill-samples all DIR
           keymill-samples clip WIDTH HEIGHT FRAMES FILE.mp4
    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("keymill-samples: \(error)\n".utf8))
      exit(error is UsageError ? 64 : 1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "all" where arguments.count == 2:
      try SampleSet(directory: URL(fileURLWithPath: arguments[1])).write()
    case "clip" where arguments.count == 5:
      let numbers = arguments[1...3].compactMap(Int.init).filter { $0 > 0 }
      guard numbers.count == 3 else { throw UsageError() }
      let scene = MillScene(width: numbers[0], height: numbers[1], frameCount: numbers[2])
      try Clip.bench(scene).write(to: URL(fileURLWithPath: arguments[4]))
    default:
      throw UsageError()
    }
  }
}

/// The arguments make no sense; the description is the usage.
struct UsageError: Error, CustomStringConvertible {
  var description: String { Main.usage }
}
