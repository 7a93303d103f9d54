import FFmpeg
import Testing

@testable import Media

/// Encoders put silence before and after a track; none of it may be heard, in neither direction.
@Suite(.temporaryDirectory) struct GaplessTests {
  /// A number that no frame size divides.
  private static let count = 100_001

  private func source(_ rate: Int) throws -> String {
    try MadeSound.write(
      path("source.wav"), count: Self.count, rate: rate,
      MadeSound.sine(440, level: -12, rate: rate))
    return path("source.wav")
  }

  @Test(arguments: ["wav", "flac", "mp3", "m4a"])
  func `a file made of a track has its samples, and no more when it is taken again`(
    format: String
  ) async throws {
    let recipe = "{\"audio\": {\"formats\": [\"\(format)\"]}}"
    let first = try await make(recipe, of: source(44_100), as: "first")
    let sound = try #require(first.manifest.audio?.first)
    #expect(sound.samples == Self.count && sound.rate == 44_100)
    let again = try await make(
      #"{"audio": {"formats": ["wav"]}}"#, of: first.path(sound.path), as: "again")
    #expect(again.manifest.audio?.first?.samples == Self.count)
  }

  @Test func `opus has the samples of its source at 48 kHz`() async throws {
    let recipe = #"{"audio": {"formats": ["opus"]}}"#
    let first = try await make(recipe, of: source(48_000), as: "first")
    let file = first.path("audio/clip.opus")
    #expect(try MadeSound.samples(of: file).count == Self.count)
  }

  @Test(arguments: ["mp3", "m4a", "opus"])
  func `the sound of a lossy file is where it was`(format: String) async throws {
    let recipe = "{\"audio\": {\"formats\": [\"\(format)\"], \"bitrate\": \"192k\"}}"
    let output = try await make(recipe, of: source(48_000))
    let made = try MadeSound.samples(of: output.path("audio/clip.\(format)"))
    let signal = MadeSound.sine(440, level: -12)
    let middle = 40_000..<50_000
    let error = middle.map { abs(Double(made[$0]) - signal($0)) }.max() ?? 1
    #expect(error < 0.02, "a shift of one sample would make 0.014 at the zero crossings")
  }

  @Test func `an edit list of coarse ticks costs no sample`() async throws {
    try MadeSound.write(
      path("coarse.m4a"), count: Self.count, codec: "aac", muxer: "ipod", rate: 44_100,
      muxerOptions: ["movie_timescale": "1000"], MadeSound.sine(440, level: -12, rate: 44_100))
    let output = try await make(#"{"audio": {"formats": ["wav"]}}"#, of: path("coarse.m4a"))
    #expect(output.manifest.audio?.first?.samples == Self.count)
  }

  @Test(.enabled(if: SharedMedia.isPresent, "\(SharedMedia.absent)"))
  func `iTunes' own tag tells the length`() async throws {
    let input = SharedMedia.path("audio/bbb_1ch_8kHz_aac_lc.m4a")
    let output = try await make(#"{"audio": {"formats": ["wav"]}}"#, of: input)
    // The tag says 5DC0 in its fourth word.
    #expect(output.manifest.audio?.first?.samples == 0x5DC0)
  }

  @Test func `a tag that is none of iTunes' tells nothing`() {
    #expect(ITunesGapless(" 00000000 00000840 000001CA 00000000003F31F6 0 0")?.delay == 0x840)
    for tag in ["", "x y z", " 0 1 2", " 0 1 2 0", " 0 -1 2 3"] {
      #expect(ITunesGapless(tag) == nil)
    }
  }

  @Test func `a header that ends the track too early loses nothing`() throws {
    var trimmer = PaddingTrimmer(DeclaredLength(shown: 1000))
    let frame = try Frame.floats(count: 800, sampleRate: 8000, channelLayout: "mono") { _, _ in }
    var heard = 0
    for _ in 0..<20 { heard += try trimmer.take(frame).reduce(0) { $0 + $1.sampleCount } }
    #expect(heard == 16_000)
    #expect(trimmer.wasWrong)
  }

  @Test func `what lies a little beyond the declared end is padding`() throws {
    var trimmer = PaddingTrimmer(DeclaredLength(shown: 1000))
    let frame = try Frame.floats(count: 800, sampleRate: 8000, channelLayout: "mono") { _, _ in }
    var heard = 0
    for _ in 0..<3 { heard += try trimmer.take(frame).reduce(0) { $0 + $1.sampleCount } }
    #expect(heard == 1000)
    #expect(!trimmer.wasWrong)
  }
}
