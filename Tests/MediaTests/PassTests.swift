import Foundation
import Media
import Platform
import TestSupport
import Testing

/// One pass over the input serves all sections, on any number of threads.
@Suite(.temporaryDirectory) struct PassTests {
  private static let key = #""key": {"color": "magenta", "to": 0.2, "formats": ["png", "mask"]}"#
  private static let audio = #""audio": {"formats": ["copy", "wav"]}"#
  private static let stills = #""stills": {"at": [0.1, "every 1s"], "cap": "320x240"}"#
  private let clip = Checkout.sample("sprite-magenta.mp4")

  private func order(_ recipe: String) -> JobOrder {
    JobOrder(recipe: recipe, input: clip, staging: path("out"))
  }

  @Test func `sections give the same bytes together and each alone`() async throws {
    let all = try await make("{\(Self.key), \(Self.audio), \(Self.stills)}", of: clip, as: "all")
    var alone: [MadeOutput.Manifest.File] = []
    for (number, section) in [Self.key, Self.audio, Self.stills].enumerated() {
      alone += try await make("{\(section)}", of: clip, as: "alone-\(number)").manifest.files
    }
    // Six frames, each with its matte; two tracks; four stills.
    #expect(all.manifest.files.count == 18)
    #expect(all.manifest.files == alone)
  }

  @Test func `one thread and four give the same bytes, manifest and all`() async throws {
    let recipe = "{\(Self.key), \(Self.stills)}"
    let one = try await make(recipe, of: clip, as: "one", threads: 1)
    let four = try await make(recipe, of: clip, as: "four", threads: 4)
    #expect(
      try Files.read(one.path("manifest.json")) == Files.read(four.path("manifest.json")))
  }

  @Test func `a second run gives the same bytes`() async throws {
    let recipe = "{\(Self.key), \(Self.audio)}"
    let first = try await make(recipe, of: clip, as: "first")
    let second = try await make(recipe, of: clip, as: "second")
    #expect(
      try Files.read(first.path("manifest.json")) == Files.read(second.path("manifest.json")))
  }

  @Test func `progress rises to the whole and names what is made`() throws {
    var reports: [Media.Progress] = []
    let job = try order("{\(Self.audio)}").job()
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
    let job = try order("{\(Self.key)}").job()
    let error = #expect(throws: MediaError.self) { _ = try job.run { _ in false } }
    #expect(error?.kind == .cancelled)
    #expect(throws: PlatformError.self) { try FileStatus(path("out/manifest.json")) }
  }

  @Test func `a staging directory that is there already is not touched`() async throws {
    try Files.makeDirectory(path("out"))
    try makeFile("out/mine", [1])
    #expect(throws: MediaError.self) { try order("{\(Self.audio)}").job().run() }
    #expect(try Files.list(path("out")) == ["mine"])
  }
}
