import Foundation
import Testing

/// Help, versions, wrong usage, and the commands that only tell.
@Suite final class UsageTests {
  private let keymill: KeymillProcess

  init() throws { keymill = try KeymillProcess() }

  deinit { keymill.cleanUp() }

  @Test(arguments: [
    (["run"], "missing argument <recipe>"),
    (["run", "recipe.json"], "missing argument <input>"),
    (["run", "--treads", "2", "r", "i"], "unknown option '--treads'"),
    (["run", "--threads", "0", "r", "i"], "--threads must be at least 1"),
    (["run", "--threads", "many", "r", "i"], "--threads: 'many' is not a whole number"),
    (["run", "-o"], "-o needs a value"),
    (["rum"], "unknown command 'rum'"),
    ([], "a command is missing"),
    (["probe"], "missing argument <file>"),
    (["filters", "sepai"], "unknown filter 'sepai'"),
    (["show", "one"], "'one' is not a whole number"),
  ])
  func `wrong usage ends with 64, the reason and how it is used`(
    arguments: [String], reason: String
  ) throws {
    let result = try keymill.run(arguments)
    #expect(result.exitCode == 64)
    #expect(result.output == "")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("keymill: ") == true)
    #expect(lines.first?.contains(reason) == true, "\(result.errors)")
    #expect(lines.last?.hasPrefix("Usage: keymill") == true)
    #expect(!keymill.exists("out"))
  }

  @Test(arguments: ["run", "rum"]) func `what is near is proposed`(command: String) throws {
    let result = try keymill.run(command, "--treads", "2")
    #expect(result.errors.contains(command == "rum" ? "Did you mean 'run'?" : "'--threads'?"))
  }

  /// The names of all commands that help tells of.
  private func commands() throws -> [String] {
    let result = try keymill.run("--help")
    #expect(result.exitCode == 0)
    return result.output.split(separator: "\n")
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  -") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { $0 != "keymill" && !$0.hasPrefix("<") }
  }

  @Test func `help names every command, and none that is not for people`() throws {
    let commands = try commands()
    for name in ["run", "submit", "work", "list", "show", "stats", "probe", "filters", "recipe"] {
      #expect(commands.contains(name), "\(name) is not in \(commands)")
    }
    #expect(!commands.contains("run-job"))
  }

  @Test func `every command has help with an example`() throws {
    for name in try commands() {
      let result = try keymill.run(name, "--help")
      #expect(result.exitCode == 0, "\(name)")
      #expect(result.errors == "", "\(name)")
      #expect(result.output.hasPrefix("keymill \(name): "), "\(name)")
      #expect(result.output.contains("USAGE: keymill \(name)"), "\(name)")
      let isGroup = result.output.contains("<command>")
      #expect(isGroup || result.output.contains("EXAMPLES:\n  keymill \(name)"), "\(name)")
      #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(name)")
    }
  }

  @Test func `the version comes with those of the libraries`() throws {
    let result = try keymill.run("--version")
    #expect(result.exitCode == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.first?.wholeMatch(of: /keymill \d+\.\d+\.\d+ \(FFmpeg .+\)/) != nil)
    for library in ["libavformat", "libavcodec", "libswscale", "libswresample"] {
      #expect(lines.contains { $0.hasPrefix("\(library) ") })
    }
  }

  @Test func `filters are listed with their parameters`() throws {
    let result = try keymill.run("filters", "--json")
    let filters = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let names = filters.compactMap { $0["name"] as? String }
    for name in ["contrast", "gamma", "sepia", "saturation", "pixellate", "chroma-key"] {
      #expect(names.contains(name))
    }
    // Defaults are what a recipe would have: numbers, lists and words.
    let defaults = filters.flatMap { $0["parameters"] as? [[String: Any]] ?? [] }
      .map { $0["default"] ?? "missing" }
    #expect(defaults.contains { $0 is NSNumber } && defaults.contains { $0 is [Any] })
    let texts = defaults.compactMap { $0 as? String }
    #expect(texts.allSatisfy { Double($0) == nil && !$0.hasPrefix("[") }, "\(texts)")
    #expect(filters.allSatisfy { ($0["summary"] as? String)?.isEmpty == false })
    let one = try keymill.run("filters", "sepia")
    #expect(one.output.hasPrefix("sepia: "))
    #expect(one.output.contains("intensity"))
  }

  @Test func `probe tells a clip's streams`() throws {
    let clip = Checkout.sample("sprite-magenta.mp4")
    let lines = try keymill.run("probe", clip).output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("\(clip): ") == true)
    #expect(lines.first?.hasSuffix(", 0:03.000") == true)
    #expect(lines.contains { $0.contains("video h264 640x480 30.0 fps yuv420p bt601") })
    #expect(lines.contains { $0.contains("audio aac 44.1 kHz stereo") })
  }

  @Test func `probe tells the cover of a track as a cover, not as video`() throws {
    let json = try keymill.run("probe", "--json", Checkout.sample("track.mp3")).json()
    let streams = try #require(json["streams"] as? [[String: Any]])
    #expect(streams.compactMap { $0["type"] as? String } == ["audio", "cover"])
    #expect(streams.last?["cover"] as? Bool == true)
    #expect((json["tags"] as? [String: String])?["title"] == "The Turning Mill")
  }

  @Test(arguments: [("missing.mp4", 66), ("text.mp4", 65)] as [(String, Int32)])
  func `probe refuses what is no media`(name: String, code: Int32) throws {
    try keymill.write("text.mp4", "no video")
    let result = try keymill.run("probe", name)
    #expect(result.exitCode == code)
    #expect(result.reason.hasPrefix("keymill: \(name): "))
    #expect(result.output == "")
  }
}
