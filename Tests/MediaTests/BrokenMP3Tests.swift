import Platform
import Testing

/// Mp3 files as they lie about: what can be heard of them is made, and what is wrong is told with its
/// time.
@Suite(.temporaryDirectory) struct BrokenMP3Tests {
  private static let wav = #"{"audio": {"formats": ["wav"]}}"#

  /// An mp3 of so many seconds.
  private func track(
    _ name: String, seconds: Int = 4, rate: Int = 44_100, layout: String = "stereo"
  ) throws -> [UInt8] {
    try MadeSound.write(
      path(name), count: seconds * rate, codec: "libmp3lame", muxer: "mp3", rate: rate,
      layout: layout, MadeSound.sine(440, level: -12, rate: rate))
    return try Files.read(path(name))
  }

  /// The place of the Xing header's frame count, four bytes.
  private func frameCount(in bytes: [UInt8]) throws -> Range<Int> {
    for name in ["Xing", "Info"] {
      let tag = Array(name.utf8)
      if let place = bytes.indices.first(where: { bytes[$0...].starts(with: tag) }) {
        return place + 8..<place + 12
      }
    }
    throw UnexpectedOutcome(description: "no Xing header")
  }

  @Test func `a header that counts too few frames costs no sound`() async throws {
    var bytes = try track("good.mp3")
    try bytes.replaceSubrange(frameCount(in: bytes), with: [0, 0, 0, 60])
    let output = try await make(Self.wav, of: makeFile("short.mp3", bytes))
    let samples = try #require(output.manifest.audio?.first?.samples)
    #expect(samples >= 4 * 44_100 && samples < 4 * 44_100 + 3 * 1152)
    #expect(
      output.manifest.warnings.contains { $0.hasPrefix("audio at 0:01.") }, "60 frames: 1.6 s")
  }

  @Test func `a header that counts too many frames makes no sound`() async throws {
    var bytes = try track("good.mp3")
    try bytes.replaceSubrange(frameCount(in: bytes), with: [0, 0, 100, 0])
    let output = try await make(Self.wav, of: makeFile("long.mp3", bytes))
    let samples = try #require(output.manifest.audio?.first?.samples)
    #expect(samples >= 4 * 44_100 && samples < 4 * 44_100 + 3 * 1152)
  }

  @Test func `junk in the middle is passed over and told with its time`() async throws {
    var bytes = try track("good.mp3")
    bytes.insert(contentsOf: [UInt8](repeating: 0x55, count: 20_000), at: bytes.count / 2)
    let output = try await make(Self.wav, of: makeFile("junk.mp3", bytes))
    #expect(try #require(output.manifest.audio?.first?.samples) > 4 * 44_100 - 3 * 1152)
    #expect(output.manifest.partial)
    let told = output.manifest.warnings.contains { line in
      line.hasPrefix("audio at 0:01.9") || line.hasPrefix("audio at 0:02.0")
    }
    #expect(told, "\(output.manifest.warnings)")
  }

  @Test func `junk before the first frame is passed over`() async throws {
    let junk = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) & 0x7F }
    let output = try await make(
      Self.wav, of: makeFile("front.mp3", junk + track("good.mp3")))
    #expect(try #require(output.manifest.audio?.first?.samples) >= 4 * 44_100 - 1152)
  }

  @Test func `a change of rate and channels is told with its time`() async throws {
    let bytes = try track("first.mp3") + track("second.mp3", rate: 22_050, layout: "mono")
    let output = try await make(Self.wav, of: makeFile("mixed.mp3", bytes))
    let samples = try #require(output.manifest.audio?.first?.samples)
    #expect(abs(samples - 8 * 44_100) < 6000)
    let told = output.manifest.warnings.contains { line in
      line.hasPrefix("audio at 0:0") && line.contains("22.05 kHz mono from here on")
    }
    #expect(told, "\(output.manifest.warnings)")
  }
}
