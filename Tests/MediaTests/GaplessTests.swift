import FFmpeg
import Platform
import TestSupport
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

  /// LAME adds up to 1198 samples, more than one frame.
  @Test(arguments: ["mp3", "m4a"], [1, 46, 47, 1152, 1153, 1199, 86 * 1152 + 1])
  func `no number of samples is encoded as another`(format: String, count: Int) async throws {
    try MadeSound.write(
      path("source.wav"), count: count, rate: 44_100,
      MadeSound.sine(440, level: -12, rate: 44_100))
    let first = try await make(
      "{\"audio\": {\"formats\": [\"\(format)\"]}}", of: path("source.wav"), as: "first")
    let again = try await make(
      #"{"audio": {"formats": ["wav"]}}"#, of: first.path("audio/clip.\(format)"), as: "again")
    #expect(again.manifest.audio?.first?.samples == count)
  }

  @Test func `opus has the samples of its source at 48 kHz`() async throws {
    let recipe = #"{"audio": {"formats": ["opus"]}}"#
    let first = try await make(recipe, of: source(48_000), as: "first")
    let file = first.path("audio/clip.opus")
    #expect(try MadeSound.samples(of: file).count == Self.count)
  }

  @Test func `Opus files joined to one are heard one after the other`() async throws {
    let first = try await make(
      #"{"audio": {"formats": ["opus"]}}"#, of: source(48_000), as: "first")
    let file = try Files.read(first.path("audio/clip.opus"))
    let joined = try makeFile("joined.opus", file + file)
    let output = try await make(#"{"audio": {"formats": ["wav"]}}"#, of: joined)
    let samples = try MadeSound.samples(of: output.path("audio/clip.wav"))
    #expect(samples.count == 2 * Self.count)
    // A quarter of full scale is the sine; headers taken for sound were noise at full scale.
    #expect(samples.map(abs).max() ?? 1 < 0.3)
    #expect(
      output.manifest.warnings == [
        "audio at 0:02.090: another Opus file begins here, joined to the one before; both are made as "
          + "one track"
      ])
    #expect(!output.manifest.partial)
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

  /// Writes `CodecDelay` over the language of a Matroska file's track, which takes as many bytes.
  private func setDelay(_ samples: Int, rate: Int, in name: String) throws {
    var bytes = try Files.read(path(name))
    let language: [UInt8] = [0x22, 0xB5, 0x9C, 0x83] + Array("und".utf8)
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: language) })
    let delay = UInt32(samples * 1_000_000_000 / rate)
    let element =
      [0x56, 0xAA, 0x84] + (0..<4).map { UInt8(truncatingIfNeeded: delay >> (24 - 8 * $0)) }
    bytes.replaceSubrange(place..<place + 7, with: element)
    try AtomicFile.write(bytes, to: path(name))
  }

  /// AAC's end is not told by the file: it is the next multiple of a frame.
  @Test(arguments: [("libmp3lame", 1105, count), ("aac", 1024, 98 * 1024)])
  func `the delay that Matroska tells is left out`(codec: String, delay: Int, samples: Int)
    async throws
  {
    let signal = MadeSound.sine(440, level: -12, rate: 44_100)
    try MadeSound.write(
      path("film.mka"), count: Self.count, codec: codec, muxer: "matroska", rate: 44_100, signal)
    try setDelay(delay, rate: 44_100, in: "film.mka")
    let output = try await make(#"{"audio": {"formats": ["wav"]}}"#, of: path("film.mka"))
    let made = try MadeSound.samples(of: output.path("audio/clip.wav"))
    #expect(made.count == samples)
    let error = (40_000..<50_000).map { abs(Double(made[$0]) - signal($0)) }.max() ?? 1
    #expect(error < 0.02, "a shift of one sample would make 0.016 at the zero crossings")
  }

  @Test(
    arguments: [
      ("libmp3lame", "mp3", "copy"), ("aac", "ipod", "copy"), ("libopus", "opus", "copy"),
      ("flac", "flac", "copy"), ("pcm_s16le", "wav", "copy"),
      ("libmp3lame", "mp3", "wav"), ("aac", "ipod", "wav"), ("libopus", "opus", "wav"),
    ])
  func `the manifest tells how long a track is heard, measured or not`(
    codec: String, muxer: String, format: String
  ) async throws {
    let rate = codec == "libopus" ? 48_000 : 44_100
    try MadeSound.write(
      path("in.\(muxer)"), count: Self.count, codec: codec, muxer: muxer, rate: rate,
      MadeSound.sine(440, level: -12, rate: rate))
    let output = try await make(
      "{\"audio\": {\"formats\": [\"\(format)\"]}}", of: path("in.\(muxer)"))
    let track = try #require(output.manifest.tracks?.first)
    let duration = try #require(track.duration)
    #expect(abs(duration - Double(Self.count) / Double(rate)) < 0.0000005, "\(duration)")
    #expect(track.layout == "stereo")
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `iTunes' own tag tells the length`() async throws {
    let input = SharedFiles.media("audio/bbb_1ch_8kHz_aac_lc.m4a")
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
