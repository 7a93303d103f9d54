import FFmpeg
import TestSupport
import Testing

@testable import Media

/// What the section says about cut, rate, channels, bits and bit rates.
@Suite(.temporaryDirectory) struct SoundShapeTests {
  private func made(_ rate: Int = 48_000, codec: String = "pcm_s24le") throws -> String {
    try MadeSound.write(
      path("in.wav"), count: 2 * rate, codec: codec, rate: rate,
      MadeSound.sine(1000, level: -6, rate: rate))
    return path("in.wav")
  }

  private func made(_ fields: String, from input: String) async throws -> MadeOutput {
    try await make("{\"audio\": {\(fields)}}", of: input)
  }

  private func stream(_ output: MadeOutput, _ name: String) throws -> FFmpeg.Stream {
    try #require(InputContainer(path: output.path("audio/\(name)")).bestStream(.audio))
  }

  @Test func `from and to cut to the sample`() async throws {
    let output = try await made(
      #""formats": ["flac"], "from": 0.5, "to": "00:01.25""#, from: made())
    let samples = try MadeSound.samples(of: output.path("audio/clip.flac"))
    #expect(samples.count == 36_000)
    let signal = MadeSound.sine(1000, level: -6)
    #expect(abs(Double(samples[100]) - signal(24_100)) < 0.001)
  }

  @Test(arguments: [(44_100, 88_200), (96_000, 192_000), (8_000, 16_000)])
  func `another rate keeps the length`(rate: Int, count: Int) async throws {
    let output = try await made(
      "\"formats\": [\"flac\"], \"rate\": \(rate)", from: made())
    let stream = try stream(output, "clip.flac")
    #expect(stream.audio?.sampleRate == rate)
    #expect(abs(try Sound.sampleCount(of: output.path("audio/clip.flac")) - count) <= 1)
  }

  @Test func `a cut shorter than the filters has all its samples at another rate`() async throws {
    let output = try await made(
      #""formats": ["wav", "flac", "peaks"], "rate": 48000, "from": 1, "to": 1.0003"#,
      from: made(44_100))
    let sounds = try #require(output.manifest.audio).filter { $0.format != "peaks" }
    // 13 samples of 44.1 kHz.
    #expect(sounds.map(\.samples) == [14, 14])
    #expect(output.files(in: "audio").count == 4)
  }

  @Test(arguments: [1, 2, 10]) func `an Opus file of a few samples has them`(count: Int)
    async throws
  {
    try MadeSound.write(path("in.wav"), count: count, rate: 48_000) { _ in 0.5 }
    let output = try await made(#""formats": ["opus", "mp3", "m4a", "flac"]"#, from: path("in.wav"))
    #expect(output.manifest.audio?.map(\.samples) == [count, count, count, count])
    let back = try await make(
      #"{"audio": {"formats": ["wav"]}}"#, of: output.path("audio/clip.opus"), as: "back")
    #expect(back.manifest.audio?.first?.samples == count)
  }

  @Test(arguments: [(1, "mono"), (2, "stereo"), (6, "5.1")])
  func `channels are mixed`(channels: Int, layout: String) async throws {
    let output = try await made(
      "\"formats\": [\"flac\"], \"channels\": \(channels)", from: made())
    #expect(try stream(output, "clip.flac").audio?.channelLayout == layout)
  }

  @Test func `an encoder gets the next rate that it takes`() async throws {
    let output = try await made(#""formats": ["mp3", "opus"]"#, from: made(22_000))
    #expect(try stream(output, "clip.mp3").audio?.sampleRate == 22_050)
    #expect(output.manifest.audio?.first { $0.format == "opus" }?.rate == 24_000)
  }

  @Test(arguments: [("pcm_s24le", "null", 24), ("pcm_s16le", "null", 16), ("pcm_s24le", "16", 16)])
  func `what is without loss keeps the bits of its source`(
    codec: String, wanted: String, bits: Int
  ) async throws {
    let output = try await made(
      "\"formats\": [\"flac\", \"wav\", \"copy\"], \"bits\": \(wanted)", from: made(codec: codec))
    #expect(try stream(output, "clip.flac").audio?.bitDepth == bits)
    #expect(try stream(output, "clip-decoded.wav").codecName == "pcm_s\(bits)le")
    if wanted == "null" {
      #expect(
        try MadeSound.samples(of: output.path("audio/clip.flac"))
          == MadeSound.samples(of: output.path("audio/clip.wav")))
    }
  }

  @Test(arguments: ["mp3", "m4a", "opus"])
  func `a higher quality and a higher bit rate are larger files`(format: String) async throws {
    let input = path("noise.wav")
    var seed: UInt64 = 7
    try MadeSound.write(input, count: 96_000) { _ in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: seed) >> 40) / Double(1 << 25)
    }
    for (low, high) in [
      (#""quality": 10"#, #""quality": 90"#), (#""bitrate": "48k""#, #""bitrate": 160000"#),
    ] {
      var sizes: [Int] = []
      for (name, field) in [("low", low), ("high", high)] {
        let output = try await make(
          "{\"audio\": {\"formats\": [\"\(format)\"], \(field)}}", of: input,
          as: "\(name)-\(sizes.count)-\(field.count)")
        sizes.append(try #require(output.manifest.files.first?.bytes))
      }
      #expect(sizes[0] * 3 < sizes[1] * 2, "\(sizes)")
    }
  }

  @Test(arguments: ["flac", "mp3", "m4a", "opus"])
  func `tags and, where the format has room, the cover are kept`(format: String) async throws {
    let track = Checkout.sample("track.mp3")
    let output = try await made("\"formats\": [\"\(format)\"]", from: track)
    let (made, source) = try (
      InputContainer(path: output.path("audio/clip.\(format)")), InputContainer(path: track)
    )
    let tags = made.metadata.merging(made.bestStream(.audio)?.metadata ?? [:]) { file, _ in file }
    let found = Dictionary(uniqueKeysWithValues: tags.map { ($0.key.lowercased(), $0.value) })
    for name in ["title", "artist"] { #expect(found[name] == source.metadata[name]) }
    #expect(source.metadata["title"] != nil)
    guard format != "opus" else { return }
    let cover = try #require(made.streams.first { $0.isAttachedPicture })
    let original = try #require(source.streams.first { $0.isAttachedPicture })
    #expect(made.attachedPicture(of: cover) == source.attachedPicture(of: original))
  }
}
