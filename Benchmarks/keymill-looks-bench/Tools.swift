import BenchCommands
import Foundation
import Imaging

/// Measures a filter of another program by what a run with it takes more than one without.
final class Tools {
  /// The frames in the file, and how often they are read.
  private static let frames = 8
  private static let rounds = 3
  /// Those of them that ImageMagick reads.
  private static let magickFrames = 4
  private static let runs = 3
  private static let size = "\(SamplePixels.size.width)x\(SamplePixels.size.height)"

  private let directory: URL
  private let input: String
  private let table: String
  /// Whether ImageMagick is there to be measured.
  let hasImageMagick: Bool
  private var baselines: [String: Double] = [:]

  /// Writes the picture where the programs read it, several times over.
  init(_ picture: SamplePixels) throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "keymill-looks-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let frame = picture.image.pixels.reduce(into: Data(capacity: 4 * picture.image.pixels.count)) {
      $0.append(contentsOf: [$1.x, $1.y, $1.z, $1.w])
    }
    let frames = directory.appending(path: "frames.rgba")
    try (0..<Self.frames).reduce(into: Data()) { data, _ in data.append(frame) }.write(to: frames)
    input = frames.path(percentEncoded: false)
    let cube = directory.appending(path: "table.cube")
    try Self.cube.write(to: cube, atomically: true, encoding: .utf8)
    table = cube.path(percentEncoded: false)
    hasImageMagick = (try? Self.processorTime(["convert", "-version"])) != nil
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// What the faster of a filter's nearest ones takes for a picture; `nil` where there is none.
  func milliseconds(of peer: Peer) throws -> (command: String, milliseconds: Double)? {
    var found: [(command: String, milliseconds: Double)] = []
    if let filter = peer.ffmpeg {
      let graph = filter.replacing("TABLE", with: table)
      let time = try difference(
        from: ffmpeg("format=\(peer.format)"), to: ffmpeg("format=\(peer.format),\(graph)"))
      found.append(("ffmpeg \(filter)", time / Double(Self.frames * Self.rounds)))
    }
    if let options = peer.magick, hasImageMagick {
      do {
        let time = try difference(from: convert([]), to: convert(options))
        found.append(
          ("convert \(options.joined(separator: " "))", time / Double(Self.magickFrames)))
      } catch let error as BenchCommandError where error.isUnknownOption {
        // A filter that only later versions have.
      }
    }
    return found.min { $0.milliseconds < $1.milliseconds }
  }

  private func ffmpeg(_ graph: String) -> [String] {
    [
      "ffmpeg", "-v", "error", "-threads", "1", "-filter_threads", "1",
      "-filter_complex_threads", "1", "-stream_loop", "\(Self.rounds - 1)", "-f", "rawvideo",
      "-pix_fmt", "rgba", "-s", Self.size, "-i",
      input, "-vf", graph, "-f", "null", "-",
    ]
  }

  private func convert(_ options: [String]) -> [String] {
    [
      "convert", "-limit", "thread", "1", "-size", Self.size, "-depth", "8",
      "rgba:\(input)[0-\(Self.magickFrames - 1)]",
    ]
      + options + ["null:"]
  }

  private func difference(
    from base: [String], to command: [String]
  ) throws -> Double {
    let key = base.joined(separator: " ")
    let baseline: Double
    if let known = baselines[key] { baseline = known } else { baseline = try least(base) }
    baselines[key] = baseline
    return try max(0, least(command) - baseline)
  }

  private func least(_ command: [String]) throws -> Double {
    var least = Double.infinity
    for _ in 0..<Self.runs { least = try min(least, Self.processorTime(command)) }
    return least
  }

  /// The processor time of a command in milliseconds.
  private static func processorTime(_ command: [String]) throws -> Double {
    try BenchCommand(command).run().cpu * 1e3
  }

  /// A table of 64 steps a side that changes every colour a little.
  private static let cube: String = {
    var lines = ["LUT_3D_SIZE 64"]
    for blue in 0..<64 {
      for green in 0..<64 {
        for red in 0..<64 {
          let (r, g, b) = (Double(red) / 63, Double(green) / 63, Double(blue) / 63)
          lines.append(String(format: "%.4f %.4f %.4f", r * 0.9 + b * 0.1, g * g, 1 - (1 - b) * r))
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }()
}

extension BenchCommandError {
  /// Whether the command does not know an option, as ImageMagick before 7 those that came later.
  fileprivate var isUnknownOption: Bool { description.contains("unrecognized option") }
}
