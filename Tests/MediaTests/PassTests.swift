import Foundation
import Media
import Platform
import Testing

extension MediaSuites {
  /// One pass over the input serves all sections, on any number of threads.
  @Suite(.temporaryDirectory) struct PassTests {
    private static let key = #""key": {"color": "magenta", "to": 0.2, "formats": ["png", "mask"]}"#
    private static let audio = #""audio": {"formats": ["copy", "wav"]}"#
    private static let stills = #""stills": {"at": [0.1, "every 1s"], "cap": "320x240"}"#
    private let clip = Checkout.sample("sprite-magenta.mp4")

    @Test func `sections give the same bytes together and each alone`() throws {
      let all = try make("{\(Self.key), \(Self.audio), \(Self.stills)}", of: clip, as: "all")
      let alone = try [Self.key, Self.audio, Self.stills].enumerated().flatMap {
        try make("{\($0.element)}", of: clip, as: "alone-\($0.offset)").manifest.files
      }
      #expect(all.manifest.files.count == 6 * 2 + 2 + 4)
      #expect(all.manifest.files == alone)
    }

    @Test func `one thread and four give the same bytes, manifest and all`() throws {
      let recipe = "{\(Self.key), \(Self.stills)}"
      let one = try make(recipe, of: clip, as: "one", threads: 1)
      let four = try make(recipe, of: clip, as: "four", threads: 4)
      #expect(
        try Files.read(one.path("manifest.json")) == Files.read(four.path("manifest.json")))
    }

    @Test func `a second run gives the same bytes`() throws {
      let recipe = "{\(Self.key), \(Self.audio)}"
      let first = try make(recipe, of: clip, as: "first")
      let second = try make(recipe, of: clip, as: "second")
      #expect(
        try Files.read(first.path("manifest.json")) == Files.read(second.path("manifest.json")))
    }

    @Test func `progress rises to the whole and names what is made`() throws {
      var reports: [Media.Progress] = []
      let job = try MediaJob.test("{\(Self.audio)}", of: clip, in: path("out"))
      _ = try job.run {
        reports.append($0)
        return true
      }
      // The input is read through first, then gone through once more.
      for stage in ["reading", "audio"] {
        let shares = reports.filter { $0.stage == stage }.compactMap(\.fraction)
        #expect(shares == shares.sorted())
      }
      let shares = reports.compactMap(\.fraction)
      #expect(shares.last == 1)
      #expect(reports.last?.stage == "checking")
      #expect(reports.contains { $0.stage == "audio" })
    }

    @Test func `who is told of the progress can end the job`() throws {
      let job = try MediaJob.test("{\(Self.key)}", of: clip, in: path("out"))
      let error = #expect(throws: MediaError.self) { _ = try job.run { _ in false } }
      #expect(error?.kind == .cancelled)
      #expect(throws: PlatformError.self) { try FileStatus(path("out/manifest.json")) }
    }

    @Test func `a staging directory that is there already is not touched`() throws {
      try Files.makeDirectory(path("out"))
      try makeFile("out/mine", [1])
      #expect(throws: MediaError.self) { try make("{\(Self.audio)}", of: clip) }
      #expect(try Files.list(path("out")) == ["mine"])
    }
  }
}
