import FFmpeg
import TestSupport
import Testing

/// Files of floats can hold what is no sample.
@Suite(.temporaryDirectory) struct NonsenseTests {
  /// A second at 48 kHz, in which three samples are none.
  private func input(_ value: Double, codec: String) throws -> String {
    let sine = MadeSound.sine(1000, level: -6)
    try MadeSound.write(path("in.wav"), count: 48_000, codec: codec) { index in
      (12_000..<12_003).contains(index) ? value : sine(index)
    }
    return path("in.wav")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e30], ["pcm_f32le", "pcm_f64le"])
  func `what is no number is silent, and told`(value: Double, codec: String) async throws {
    let formats = #"["wav", "mp3", "m4a", "opus", "flac", "peaks", "spectrogram"]"#
    let output = try await make(
      "{\"audio\": {\"formats\": \(formats), \"loudness\": -16, \"report\": true}}",
      of: input(value, codec: codec))
    #expect(
      output.manifest.warnings == [
        "audio at 0:00.250: 3 samples from here on are no number or beyond all measure; silent instead"
      ])
    #expect(output.manifest.partial)
    let track = try #require(output.manifest.tracks?.first)
    #expect(abs(try #require(track.loudness) + 6) < 0.2)
    let samples = try MadeSound.samples(of: output.path("audio/clip.wav"))
    #expect(samples.count == 48_000)
    #expect(samples[12_000..<12_003].allSatisfy { $0 == 0 })
    #expect(samples[12_004] != 0)
  }
}
