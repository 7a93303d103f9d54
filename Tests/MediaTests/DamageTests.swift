import Platform
import TestSupport
import Testing

/// Inputs that are damaged, and those that are no media.
@Suite(.temporaryDirectory) struct DamageTests {
  private static let key = #""key": {"color": "magenta", "formats": ["mask"], "size": "64x48"}"#

  /// The sample clip with a hole: the middle tenth of its bytes is zero.
  private func holed() throws -> String {
    var bytes = try Files.read(Checkout.sample("sprite-magenta.mp4"))
    let (start, end) = (bytes.count * 5 / 10, bytes.count * 6 / 10)
    bytes.replaceSubrange(start..<end, with: repeatElement(0, count: end - start))
    return try makeFile("holed.mp4", bytes)
  }

  /// The sample's beginning, as a broken download leaves it.
  private func cut(_ sample: String, to share: Double, as name: String) throws -> String {
    let bytes = try Files.read(Checkout.sample(sample))
    return try makeFile(name, Array(bytes.prefix(Int(Double(bytes.count) * share))))
  }

  @Test func `what decodes is made, and the manifest tells what did not and when`() async throws {
    let output = try await make("{\(Self.key), \"audio\": {}}", of: holed())
    #expect(output.manifest.partial)
    #expect(output.result.isPartial)
    #expect(output.manifest.warnings.contains { $0.hasPrefix("video at 0:01.") })
    #expect(output.manifest.warnings.count <= 21)
    let frames = try #require(output.manifest.key?.frames)
    #expect(frames > 45 && frames <= 90)
  }

  @Test func `a recipe can refuse damage`() async throws {
    let error = try await failure("{\(Self.key), \"damaged\": \"fail\"}", of: holed())
    #expect(error?.kind == "input")
    #expect(error?.message.hasPrefix("the input is damaged: video at 0:01.") == true)
    #expect(throws: PlatformError.self) { try FileStatus(path("refused/manifest.json")) }
  }

  @Test func `a recipe that refuses damage takes a clean input`() async throws {
    let recipe = #"{"audio": {}, "key": {"optional": true}, "damaged": "fail"}"#
    #expect(try await failure(recipe, of: Checkout.sample("track.mp3")) == nil)
  }

  @Test func `one file's damage is not told of the next`() async throws {
    let orders = try [
      JobOrder(recipe: "{\(Self.key)}", input: holed(), staging: path("first")),
      JobOrder(
        recipe: #"{"audio": {"formats": ["wav"]}}"#, input: Checkout.sample("track.mp3"),
        staging: path("second")),
    ]
    let outcomes = try await carryOut(orders)
    #expect(try MadeOutput(outcomes[0], in: path("first")).manifest.partial)
    #expect(try MadeOutput(outcomes[1], in: path("second")).manifest.warnings == [])
  }

  @Test func `a clip without its index is no media that can be read`() async throws {
    let error = try await failure(
      "{\(Self.key)}", of: cut("sprite-magenta.mp4", to: 0.02, as: "cut.mp4"))
    #expect(error?.kind == "input")
    #expect(error?.message.contains("\n") == false)
  }

  @Test func `a track that breaks off is made in part`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["wav"]}}"#, of: cut("track.mp3", to: 0.5, as: "cut.mp3"))
    let samples = try #require(output.manifest.audio?.first?.samples)
    #expect(samples > 44_100 * 4 && samples < 44_100 * 7)
  }

  @Test(arguments: [
    ("empty.mp4", "", "the file is empty"),
    ("text.mp4", "not a video\n", "is not media that FFmpeg can read"),
  ])
  func `what is no media is refused in a word`(
    name: String, content: String, reason: String
  ) async throws {
    let error = try await failure("{\(Self.key)}", of: makeFile(name, Array(content.utf8)))
    #expect(error?.kind == "input")
    #expect(error?.message.hasPrefix(reason) == true)
    #expect(error?.subject == path(name))
  }

  @Test func `a file that is not there is told as that`() async throws {
    let error = try await failure("{\(Self.key)}", of: path("missing.mp4"))
    #expect(error?.kind == "noInput")
    #expect(error?.message == "no such file")
  }
}
