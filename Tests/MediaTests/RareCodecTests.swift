import FFmpeg
import Platform
import TestSupport
import Testing

/// Tracks whose codec has no file of its own that everybody knows.
@Suite(.temporaryDirectory, .enabled(if: FFmpegTool.isInstalled, FFmpegTool.absent))
struct RareCodecTests {
  private func film(_ name: String, _ options: String) throws -> String {
    try FFmpegTool.run("-f lavfi -i sine=440:d=2:r=44100 \(options) \(path(name))")
    return path(name)
  }

  /// How many samples of a file come out of `wav`.
  private func count(_ input: String, as name: String) async throws -> Int? {
    try await make(#"{"audio": {"formats": ["wav"]}}"#, of: input, as: name)
      .manifest.audio?.first?.samples
  }

  @Test(arguments: [
    ("f.tta", "-c:a tta", "clip.tta"), ("f.mov", "-c:a adpcm_ima_qt", "clip.mov"),
    ("f.flv", "-ac 1 -c:a nellymoser", "clip.flv"), ("f.flv", "-c:a adpcm_swf", "clip.flv"),
  ])
  func `a copy goes into a file that can be played`(name: String, options: String, copy: String)
    async throws
  {
    let film = try film(name, options)
    let output = try await make(#"{"audio": {"formats": ["copy"]}}"#, of: film)
    #expect(output.manifest.files.map(\.path) == ["audio/\(copy)"])
    let whole = try #require(try await count(film, as: "film"))
    #expect(whole > 80_000)
    #expect(try await count(output.path("audio/\(copy)"), as: "copied") == whole)
  }

  private static let bluRay = "-ar 48000 -ac 2 -c:a pcm_bluray -f mpegts -mpegts_m2ts_mode 1"
  private static let words =
    "pcm_bluray cannot be put into a file of its own; take \"wav\" or \"flac\" instead of \"copy\""

  @Test func `a codec that no file takes is refused by its name`() async throws {
    let refusal = try await failure(
      #"{"audio": {"formats": ["copy"]}}"#, of: film("f.m2ts", Self.bluRay))
    #expect(refusal?.message == Self.words)
    #expect(refusal?.kind == "input")
  }

  @Test func `a copy that would lose frames is refused too`() async throws {
    let refusal = try await failure(
      #"{"audio": {"formats": ["copy"]}}"#, of: film("f.mka", "-c:a tta"))
    #expect(refusal?.message.hasPrefix("tta cannot be put into a file of its own") == true)
  }

  @Test func `beside other formats a copy that cannot be made is only a note`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["copy", "flac"]}}"#, of: film("f.m2ts", Self.bluRay))
    #expect(output.manifest.files.map(\.path) == ["audio/clip.flac"])
    #expect(try Files.list(output.path("audio")) == ["clip.flac"])
    #expect(output.manifest.warnings == ["skipped: \(Self.words)"])
  }
}
