import TestSupport
import Testing

/// A section that makes nothing does not succeed in silence.
@Suite(.temporaryDirectory) struct ShortfallTests {
  /// Two seconds of a sine.
  private func sound(_ name: String = "in.wav") throws -> String {
    try MadeSound.write(path(name), count: 96_000, MadeSound.sine(440, level: -12))
    return path(name)
  }

  /// Two tracks, of one second and of three.
  private func twoTracks() throws -> String {
    let signal = MadeSound.sine(440, level: -12)
    try MadeSound.write(
      path("two.mka"),
      tracks: [
        MadeSound.Track(count: 48_000, signal: signal),
        MadeSound.Track(count: 144_000, signal: signal),
      ], codec: "flac", muxer: "matroska")
    return path("two.mka")
  }

  @Test(arguments: [
    #"{"audio": {"formats": ["wav"], "from": 2}}"#,
    #"{"audio": {"formats": ["mp3", "copy"], "from": 5}}"#,
    #"{"audio": {"formats": ["peaks"], "from": 5, "to": 9}}"#,
    #"{"audio": {"formats": ["spectrogram"], "from": 5}}"#,
    #"{"audio": {"formats": ["flac"], "from": 5, "trimSilence": true, "loudness": -16}}"#,
    #"{"audio": {"report": true, "from": 5}}"#,
    #"{"audio": {"formats": ["wav"], "from": 5, "optional": true}}"#,
  ])
  func `a beginning beyond the end is an error that tells the end`(recipe: String) async throws {
    let refusal = try #require(try await failure(recipe, of: sound()))
    #expect(refusal.kind == "input")
    #expect(refusal.message.hasPrefix("audio ends at 0:02.000, and the recipe takes it from 0:0"))
  }

  @Test func `an optional beginning beyond the end is passed over beside other sections`()
    async throws
  {
    let output = try await make(
      #"{"audio": {"formats": ["wav"], "from": 500, "optional": true}, "stills": {"at": [0]}}"#,
      of: Checkout.sample("sprite-magenta.mp4"))
    #expect(output.files(in: "audio").isEmpty && output.files(in: "stills").count == 1)
    #expect(
      output.manifest.warnings.contains {
        $0.hasPrefix("skipped: audio ends at") && $0.hasSuffix("from 8:20.000 on")
      })
  }

  @Test func `of several tracks those that are too short are named`() async throws {
    let output = try await make(
      #"{"audio": {"track": "all", "formats": ["wav"], "from": 2}}"#, of: twoTracks())
    #expect(output.manifest.files.map(\.path) == ["audio/clip-2.wav"])
    #expect(
      output.manifest.warnings == [
        "skipped: audio track 1 ends at 0:01.000, and the recipe takes it from 0:02.000 on"
      ])
    let refusal = try await failure(
      #"{"audio": {"track": "all", "formats": ["wav"], "from": 4}}"#, of: twoTracks())
    #expect(refusal?.message.hasPrefix("audio track 1 ends at 0:01.000") == true)
  }

  @Test(arguments: [
    #"{"audio": {"formats": ["cover"]}}"#, #"{"audio": {"formats": ["cover"], "optional": true}}"#,
  ])
  func `a cover alone that is not there is an error`(recipe: String) async throws {
    let refusal = try #require(try await failure(recipe, of: sound()))
    #expect(refusal.kind == "input" && refusal.message == "no cover picture in the tags")
  }

  @Test func `an optional cover that is not there is passed over beside other sections`()
    async throws
  {
    let output = try await make(
      #"{"audio": {"formats": ["cover"], "optional": true}, "stills": {"at": [0]}}"#,
      of: Checkout.sample("sprite-magenta.mp4"))
    #expect(output.manifest.warnings.contains("skipped: no cover picture in the tags"))
  }

  @Test(arguments: [
    #"{"key": {"from": 500, "formats": ["mask"]}}"#,
    #"{"key": {"from": 500, "formats": ["mask"], "optional": true}}"#,
  ])
  func `a key of no frame is an error also where it is optional and alone`(recipe: String)
    async throws
  {
    let refusal = try await failure(recipe, of: Checkout.sample("sprite-magenta.mp4"))
    #expect(refusal?.message == "no frame lies between the recipe's from and to")
  }

  @Test func `what cannot be done to silence is told`() async throws {
    try MadeSound.write(path("silent.wav"), count: 96_000) { _ in 0 }
    let output = try await make(
      #"{"audio": {"formats": ["wav"], "trimSilence": true, "loudness": -16}}"#,
      of: path("silent.wav"))
    #expect(output.manifest.audio?.first?.samples == 96_000)
    #expect(
      output.manifest.warnings == [
        "audio is silent throughout: nothing was left out of it",
        "audio is too quiet or too short to be measured: not brought to -16.0 LUFS",
      ])
    #expect(!output.manifest.partial)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `what FFmpeg cannot read yet is refused in words`() async throws {
    let refusal = try await failure(
      #"{"audio": {"formats": ["wav"]}}"#,
      of: SharedFiles.media("audio/sine-3s-xhe-aac-44khz-mono.mp4"))
    #expect(refusal?.message.hasPrefix("is of a kind that this FFmpeg cannot read yet") == true)
  }
}
