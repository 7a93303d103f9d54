import FFmpeg
import Loudness
import TestSupport
import Testing

@testable import Media

/// Loudness, peaks, clipping and silence against sound of known content.
@Suite(.temporaryDirectory) struct LevelTests {
  private func made(
    seconds: Double = 8, _ signal: @escaping MadeSound.Signal
  ) throws -> String {
    try MadeSound.write(path("in.wav"), count: Int(seconds * 48_000), signal)
    return path("in.wav")
  }

  private func level(of samples: [Float]) throws -> (loudness: Double?, truePeak: Double) {
    let meter = try LoudnessMeter(channels: 2, sampleRate: 48_000)
    let both = samples.flatMap { [$0, $0] }
    try meter.add(both.span)
    return (meter.integrated, Decibels.level(of: meter.truePeak))
  }

  /// EBU Tech 3341: a stereo sine of 1 kHz at -23 dBFS is of -23 LUFS.
  @Test func `the report tells loudness, true peak and length`() async throws {
    let output = try await make(
      #"{"audio": {"report": true}}"#, of: made(MadeSound.sine(1000, level: -23)))
    let track = try #require(output.manifest.tracks?.first)
    #expect(abs(try #require(track.loudness) + 23) < 0.1)
    #expect(abs(try #require(track.truePeak) + 23) < 0.1)
    #expect(track.samples == 8 * 48_000)
    #expect(track.duration == 8)
    #expect(track.clipping?.runs == 0)
    #expect(output.manifest.audio?.map(\.format) == ["copy"])
  }

  @Test func `the report counts runs at full scale and tells where the first is`() async throws {
    let output = try await make(
      #"{"audio": {"report": true}}"#,
      of: made { index in
        if (48_000..<48_005).contains(index) { return 1 }
        if (96_000..<96_002).contains(index) { return -1 }
        return 0.1
      })
    let clipping = try #require(output.manifest.tracks?.first?.clipping)
    // Both channels clip; two samples are no run.
    #expect(clipping.runs == 2 && clipping.samples == 10)
    #expect(clipping.first == 1)
  }

  @Test func `the report tells the silence at both ends`() async throws {
    let output = try await make(#"{"audio": {"report": true}}"#, of: made(Self.burst))
    let silence = try #require(output.manifest.tracks?.first?.silence)
    #expect(abs(silence.leading - 2) < 0.001)
    #expect(abs(silence.trailing - 3) < 0.001)
  }

  /// Two seconds of near silence, three of sound, three of silence.
  private static let burst: @Sendable (Int) -> Double = { index in
    let sine = MadeSound.sine(500, level: -10)(index)
    return (96_000..<240_000).contains(index) ? sine : sine * 0.001
  }

  @Test func `silence is trimmed where it is quieter than asked for`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["wav"], "trimSilence": -50}}"#, of: made(Self.burst))
    let samples = try #require(output.manifest.audio?.first?.samples)
    #expect(abs(samples - 144_000) < 100)
    let kept = try await make(
      #"{"audio": {"formats": ["wav"], "trimSilence": -90}}"#, of: made(Self.burst), as: "kept")
    #expect(try #require(kept.manifest.audio?.first?.samples) > 383_000)
  }

  @Test(arguments: [-16.0, -30.0])
  func `a track is brought to a loudness`(target: Double) async throws {
    let output = try await make(
      "{\"audio\": {\"formats\": [\"flac\"], \"bits\": 24, \"loudness\": \(target)}}",
      of: made(MadeSound.sine(1000, level: -23)))
    let result = try level(of: MadeSound.samples(of: output.path("audio/clip.flac")))
    #expect(abs(try #require(result.loudness) - target) < 0.1)
    let gain = try #require(output.manifest.tracks?.first?.gain)
    #expect(abs(gain - (target + 23)) < 0.1)
  }

  @Test func `a peak beyond the ceiling is limited, and the rest keeps its level`() async throws {
    let quiet = MadeSound.sine(1000, level: -26)
    let loud = MadeSound.sine(1000, level: -3)
    let input = try made(seconds: 20) { index in
      // 50 ms of a loud sine in each five seconds.
      index % 240_000 < 2_400 ? loud(index) : quiet(index)
    }
    let output = try await make(
      #"{"audio": {"formats": ["flac"], "bits": 24, "loudness": -20, "truePeak": -2}}"#,
      of: input)
    let samples = try MadeSound.samples(of: output.path("audio/clip.flac"))
    #expect(samples.count == 20 * 48_000)
    #expect(try level(of: samples).truePeak <= -1.98)
    let gain = try #require(output.manifest.tracks?.first?.gain)
    let far = samples[120_000..<160_000].map(abs).max() ?? 0
    #expect(abs(Decibels.level(of: Double(far)) - (-26 + gain)) < 0.05)
  }

  @Test func `what the limiter has cost is told where it is much`() async throws {
    let (quiet, loud) = (MadeSound.sine(1000, level: -30), MadeSound.sine(1000, level: -1))
    // 20 ms of a loud sine in each half second: what is loud is all in the peaks.
    let input = try made { index in index % 24_000 < 960 ? loud(index) : quiet(index) }
    let output = try await make(
      #"{"audio": {"formats": ["flac"], "bits": 24, "loudness": -9}}"#, of: input)
    let result = try level(of: MadeSound.samples(of: output.path("audio/clip.flac")))
    let reached = try #require(result.loudness)
    #expect(reached < -9.5)
    let level = (reached * 10).rounded() / 10
    #expect(
      output.manifest.warnings == [
        "audio is brought to \(level) LUFS instead of -9.0: louder, its peaks would exceed -1.0 dBTP"
      ])
    #expect(!output.manifest.partial)
  }

  @Test func `silence has no loudness to change`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["wav"], "loudness": -16}}"#, of: made(seconds: 1) { _ in 0 })
    #expect(output.manifest.audio?.first?.samples == 48_000)
    #expect(output.manifest.tracks?.first?.gain == nil)
  }
}
