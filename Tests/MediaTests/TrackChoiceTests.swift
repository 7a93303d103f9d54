import FFmpeg
import TestSupport
import Testing

@testable import Media

/// Which of several audio tracks are taken.
@Suite(.temporaryDirectory) struct TrackChoiceTests {
  /// Three tracks of 1, 2 and 3 seconds: German, English, and one of no language.
  private func film() throws -> String {
    let tracks = zip(["ger", "eng", nil], [1, 2, 3]).map { language, seconds in
      MadeSound.Track(
        language: language, count: seconds * 48_000, signal: MadeSound.sine(440, level: -20))
    }
    try MadeSound.write(path("film.mka"), tracks: tracks, codec: "flac", muxer: "matroska")
    return path("film.mka")
  }

  @Test(arguments: [
    ("\"default\"", 1), ("1", 1), ("2", 2), ("3", 3), ("\"eng\"", 2), ("\"en\"", 2),
    ("\"deu\"", 1), ("\"de\"", 1),
  ])
  func `a track is taken by place, number or language`(choice: String, seconds: Int) async throws {
    let output = try await make(
      "{\"audio\": {\"formats\": [\"wav\"], \"track\": \(choice)}}", of: film())
    #expect(output.manifest.audio?.map(\.samples) == [seconds * 48_000])
    #expect(output.manifest.audio?.first?.path == "audio/clip.wav")
    #expect(output.manifest.tracks?.map(\.track) == [seconds])
  }

  @Test func `all tracks go into files of their own`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["copy", "wav"], "track": "all"}}"#, of: film())
    #expect(
      output.manifest.audio?.map(\.path) == [
        "audio/clip-1-ger.flac", "audio/clip-1-ger.wav", "audio/clip-2-eng.flac",
        "audio/clip-2-eng.wav", "audio/clip-3.flac", "audio/clip-3.wav",
      ])
    for (track, seconds) in zip(["1-ger", "2-eng", "3"], 1...) {
      let copy = output.path("audio/clip-\(track).flac")
      #expect(try Sound.sampleCount(of: copy) == seconds * 48_000)
    }
  }

  @Test(arguments: [
    ("4", "no audio track 4 (3 audio streams: "),
    ("\"fra\"", "no audio track in the language \"fra\" (3 audio streams: "),
  ])
  func `a track that is not there is named`(choice: String, message: String) async throws {
    let error = try await failure("{\"audio\": {\"track\": \(choice)}}", of: film())
    #expect(error?.kind == "input")
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("de", "ger"), ("deu", "ger"), ("EN", "eng"), ("pt-BR", "por"), ("zh", "chi"), ("xx", "xx"),
  ])
  func `the codes of a language are equal`(one: String, other: String) {
    #expect(LanguageCode(one) == LanguageCode(other))
  }

  @Test func `the codes of two languages are not`() {
    #expect(LanguageCode("de") != LanguageCode("nl"))
    #expect(LanguageCode("und") != LanguageCode("en"))
  }
}
