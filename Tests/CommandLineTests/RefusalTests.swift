import Foundation
import TestSupport
import Testing

/// Inputs, recipes and outputs that `keymill run` refuses: one line that says why, the exit code of
/// the contract, nothing published and nothing left behind.
@Suite final class RefusalTests {
  private let keymill: KeymillProcess

  init() throws { keymill = try KeymillProcess() }

  deinit { keymill.cleanUp() }

  private static let key = #"{"key": {"color": "magenta"}}"#

  /// Runs a recipe on an input that it must refuse, and gives the reason after `keymill: `.
  private func refusal(
    _ input: String, of recipe: String = key, code: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try keymill.run(recipe: recipe, on: input)
    #expect(!result.isSignal && result.exitCode == code, sourceLocation: sourceLocation)
    #expect(result.output == "", sourceLocation: sourceLocation)
    #expect(keymill.published() == [], sourceLocation: sourceLocation)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(lines)", sourceLocation: sourceLocation)
    let prefix = "keymill: "
    try #require(result.reason.hasPrefix(prefix), sourceLocation: sourceLocation)
    return String(result.reason.dropFirst(prefix.count))
  }

  // MARK: Inputs

  @Test func `a missing file`() throws {
    #expect(try refusal("missing.mp4", code: 66) == "missing.mp4: no such file")
  }

  @Test func `a directory`() throws {
    try FileManager.default.createDirectory(
      atPath: keymill.path("clips.mp4"), withIntermediateDirectories: true)
    #expect(
      try refusal("clips.mp4", code: 66) == "clips.mp4: is a directory; name the files in it")
  }

  @Test func `a device`() throws {
    #expect(try refusal("/dev/zero", code: 66) == "/dev/zero: is not a regular file")
  }

  @Test func `an empty file`() throws {
    try keymill.write("empty.mp4", "")
    #expect(try refusal("empty.mp4", code: 65) == "empty.mp4: the file is empty")
  }

  @Test func `a text that is named as a clip`() throws {
    try keymill.write("text.mp4", "This is not a video.\n")
    #expect(
      try refusal("text.mp4", code: 65).hasPrefix(
        "text.mp4: is not media that FFmpeg can read"))
  }

  @Test func `a clip without its index`() throws {
    let clip = try Data(contentsOf: URL(filePath: Checkout.sample("sprite-magenta.mp4")))
    // The moov box is cut off with the rest.
    let moov = try #require(clip.range(of: Data("moov".utf8))).lowerBound
    try clip.prefix(moov - 4).write(to: URL(filePath: keymill.path("cut.mp4")))
    #expect(
      try refusal("cut.mp4", code: 65).hasPrefix("cut.mp4: is not media that FFmpeg can read"))
  }

  @Test func `a clip cut off before its first picture`() throws {
    let clip = try Data(contentsOf: URL(filePath: Checkout.sample("sprite-magenta.mp4")))
    let start = try #require(clip.range(of: Data("mdat".utf8))).upperBound
    try clip.prefix(start + 100).write(to: URL(filePath: keymill.path("cut.mp4")))
    #expect(try refusal("cut.mp4", code: 65).hasPrefix("cut.mp4: no picture could be decoded"))
  }

  @Test func `sound where a picture is to be keyed, named as a clip`() throws {
    try keymill.copy(Checkout.sample("track.mp3"), as: "clip.mp4")
    #expect(
      try refusal("clip.mp4", code: 65)
        == "clip.mp4: no video stream to key "
        + "(1 audio stream: mp3 44.1 kHz stereo; a cover picture)")
  }

  @Test func `a picture where sound is asked for`() throws {
    let photo = Checkout.sample("photo.jpg")
    #expect(
      try refusal(photo, of: #"{"audio": {}}"#, code: 65)
        == "\(photo): no audio stream to take (1 video stream: mjpeg 1600x1200)")
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a codec that nobody here knows`() throws {
    let clip = SharedFiles.media("video/sample_vvc.mp4")
    #expect(try refusal(clip, code: 65).hasPrefix("\(clip): no decoder for its"))
  }

  @Test func `a picture without a screen where the key is to be found`() throws {
    try keymill.write("grey.pgm", "P5\n8 8\n255\n" + String(repeating: "x", count: 64))
    #expect(
      try refusal("grey.pgm", of: #"{"key": {"color": "auto"}}"#, code: 65)
        == "grey.pgm: no screen of one colour was found in the first frame; name the key colour, "
        + "or begin later")
  }

  @Test func `a span that the clip does not reach`() throws {
    let recipe = #"{"key": {"from": 60}}"#
    #expect(
      try refusal(Checkout.sample("sprite-magenta.mp4"), of: recipe, code: 65).hasSuffix(
        "no frame lies between the recipe's from and to"))
  }

  @Test func `damage, where the recipe refuses it`() throws {
    var clip = try Data(contentsOf: URL(filePath: Checkout.sample("sprite-magenta.mp4")))
    clip.resetBytes(in: clip.count / 2..<clip.count / 2 + 20_000)
    try clip.write(to: URL(filePath: keymill.path("damaged.mp4")))
    let recipe = #"{"key": {"size": "64x48"}, "damaged": "fail"}"#
    #expect(
      try refusal("damaged.mp4", of: recipe, code: 65).hasPrefix(
        "damaged.mp4: the input is damaged: video at 0:"))
  }

  // MARK: Recipes

  @Test(arguments: [
    (
      "{\n  \"key\": { \"treshold\": 0.2 }\n}",
      #"recipe.json:2:12: key.treshold: unknown field; did you mean "threshold"?"#
    ),
    (
      #"{"stills": {"filters": [{"sepai": {}}]}}"#,
      #"recipe.json:1:26: stills.filters[0].sepai: unknown filter "sepai"; did you mean "sepia"?"#
    ),
    (
      #"{"stills": {"cap": "0x0"}}"#,
      #"recipe.json:1:20: stills.cap: "0x0" is out of range; each side has from 1 to 65535 pixels"#
    ),
    (
      #"{"stills": {"cap": 0}}"#,
      #"recipe.json:1:20: stills.cap: expected a size such as "1024x1536", not the number 0"#
    ),
    ("{", #"recipe.json:1:1: this "{" is never closed"#),
  ])
  func `a recipe with a fault, with its place and what may have been meant`(
    recipe: String, reason: String
  ) throws {
    #expect(try refusal(Checkout.sample("photo.jpg"), of: recipe, code: 65) == reason)
  }

  @Test func `a recipe that is not there`() throws {
    let result = try keymill.run("run", "none.json", Checkout.sample("photo.jpg"))
    #expect(result.exitCode == 66)
    #expect(
      result.reason == "keymill: none.json: cannot read the recipe: No such file or directory")
  }

  // MARK: Outputs

  private func outputRefusal(_ output: String) throws -> String {
    let result = try keymill.run(
      "run", Checkout.recipe("audio"), Checkout.sample("track.mp3"), "-o", output)
    #expect(!result.isSignal && result.exitCode == 74)
    #expect(result.output == "")
    return result.reason
  }

  @Test(arguments: ["file", "file/x"])
  func `an output in the place of a file or under it`(place: String) throws {
    try keymill.write("file", "precious")
    let reason =
      "keymill: \(keymill.path(place)): no output can be made here: Not a directory; "
      + "name another with -o"
    #expect(try outputRefusal(place) == reason)
    try keymill.write("recipe.json", #"{"audio": {}}"#)
    // Not only when the job runs.
    let submitted = try keymill.run(
      "submit", "recipe.json", Checkout.sample("track.mp3"), "-o", place)
    #expect(submitted.exitCode == 74 && submitted.reason == reason)
    #expect(try keymill.run("list", "--json").output.contains("\"input\"") == false)
  }

  @Test func `an output where none can be made, were one the superuser`() throws {
    #expect(try outputRefusal("/proc/x").hasPrefix("keymill: /proc/x: no output can be made here"))
  }

  @Test func `a directory that keymill did not make`() throws {
    try FileManager.default.createDirectory(
      atPath: keymill.path("out/track"), withIntermediateDirectories: true)
    try keymill.write("out/track/mine.txt", "precious")
    #expect(
      try outputRefusal("out")
        == "keymill: \(keymill.path("out/track")): is in the way: a directory that keymill did not "
        + "make; name another with -o")
    #expect(keymill.published(in: "out/track") == ["mine.txt"])
    #expect(keymill.published() == ["track"])
  }

  @Test func `a file in the output's place`() throws {
    try FileManager.default.createDirectory(
      atPath: keymill.path("out"), withIntermediateDirectories: true)
    try keymill.write("out/track", "precious")
    #expect(try outputRefusal("out").contains("is in the way: not a directory"))
    #expect(keymill.published() == ["track"])
  }
}
