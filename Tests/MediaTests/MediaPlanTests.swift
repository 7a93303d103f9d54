import FFmpeg
import Recipes
import TestSupport
import Testing

@testable import Media

/// Which streams serve which sections, and what is said where one lacks.
@Suite(.temporaryDirectory) struct MediaPlanTests {
  private let clip = Checkout.sample("sprite-magenta.mp4")
  private let track = Checkout.sample("track.mp3")

  private func plan(
    _ json: String, _ input: String, _ warnings: Warnings = Warnings()
  ) throws -> MediaPlan {
    try MediaPlan(
      Recipe(json: json, name: "r"), for: InputContainer(path: input), warnings: warnings)
  }

  private func message(_ json: String, _ input: String) throws -> String? {
    do {
      _ = try plan(json, input)
      return nil
    } catch let error as MediaError {
      #expect(error.kind == .input)
      #expect(error.subject == input)
      return error.message
    }
  }

  /// A clip without sound.
  private func silent() throws -> String {
    try TestClip.write(path("silent.mkv"), milliseconds: [0, 40])
    return path("silent.mkv")
  }

  @Test func `all sections of a clip with both get their streams`() throws {
    let plan = try plan(#"{"key": {}, "audio": {}, "stills": {}}"#, clip)
    #expect(plan.video?.codecName == "h264")
    #expect(plan.audio.map(\.stream.codecName) == ["aac"])
    #expect(plan.key != nil && plan.audioSection != nil && plan.stills != nil)
  }

  @Test func `streams that no section asks for are not taken`() throws {
    #expect(try plan(#"{"audio": {}}"#, clip).video == nil)
    #expect(try plan(#"{"stills": {}}"#, clip).audio.isEmpty)
  }

  @Test(arguments: [
    (#"{"key": {}}"#, "no video stream to key"),
    (#"{"stills": {}}"#, "no picture to take a still of"),
    (#"{"audio": {}, "key": {}}"#, "no video stream to key"),
  ])
  func `a missing picture is named, with what is there instead`(
    recipe: String, reason: String
  ) throws {
    #expect(
      try message(recipe, track)
        == "\(reason) (1 audio stream: mp3 44.1 kHz stereo; a cover picture)")
  }

  @Test func `missing sound is named, with what is there instead`() throws {
    #expect(
      try message(#"{"audio": {}}"#, silent())
        == "no audio stream to take (1 video stream: ffv1 64x48)")
  }

  @Test func `an optional section falls away with a note`() throws {
    let warnings = Warnings()
    let plan = try plan(#"{"key": {"optional": true}, "audio": {}}"#, track, warnings)
    #expect(plan.key == nil && plan.video == nil && !plan.audio.isEmpty)
    #expect(warnings.lines == ["skipped: no video stream to key"])
    #expect(!warnings.isPartial)
  }

  @Test func `where no optional section applies, that is the error`() throws {
    #expect(
      try message(#"{"key": {"optional": true}, "stills": {"optional": true}}"#, track)
        == "nothing to make: 1 audio stream: mp3 44.1 kHz stereo; a cover picture")
  }

  @Test func `a cover is no video`() throws {
    let container = try InputContainer(path: track)
    #expect(container.streams.contains { $0.isAttachedPicture })
    #expect(try message(#"{"key": {}}"#, track) != nil)
  }

  @Test func `a section that the recipe requires is not dropped when nothing decodes`() throws {
    var plan = try plan(#"{"key": {}, "audio": {}}"#, clip)
    #expect(throws: MediaError.self) {
      try plan.drop(.video, because: "broken", input: clip, warnings: Warnings())
    }
  }

  @Test func `an optional section is dropped as damage when nothing decodes`() throws {
    var plan = try plan(#"{"key": {"optional": true}, "audio": {}}"#, clip)
    let warnings = Warnings()
    try plan.drop(.video, because: "broken", input: clip, warnings: warnings)
    #expect(plan.video == nil && plan.key == nil && !plan.audio.isEmpty)
    #expect(warnings.first == "broken")
    #expect(throws: MediaError.self) {
      try plan.drop(.audio, because: "broken too", input: clip, warnings: warnings)
    }
  }
}
