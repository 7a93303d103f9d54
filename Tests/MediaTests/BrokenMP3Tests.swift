import Platform
import Testing

@testable import Media

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

  @Test(arguments: [5000, 60_000, 200_000])
  func `junk before the first frame is passed over and told with its place`(count: Int)
    async throws
  {
    let junk = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) & 0x7F }
    let output = try await make(
      Self.wav, of: makeFile("front.mp3", junk + track("good.mp3").drop { $0 != 0xFF }))
    #expect(output.manifest.audio?.first?.samples == 4 * 44_100)
    #expect(
      output.manifest.warnings == [
        "audio at 0:00.000: \(count) bytes before the first frame, from byte 0 of the file on, are "
          + "no sound"
      ])
    #expect(output.manifest.partial)
  }

  @Test func `junk between the tags and the first frame is told with its place`() async throws {
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    let junk = [UInt8](repeating: 0x55, count: 77)
    let output = try await make(
      Self.wav, of: makeFile("tagged.mp3", tag + junk + track("good.mp3").drop { $0 != 0xFF }))
    let told = output.manifest.warnings.contains { line in
      line.contains(" bytes before the first frame, from byte 138 of the file on")
    }
    #expect(told, "\(output.manifest.warnings)")
    #expect(output.manifest.audio?.first?.samples == 4 * 44_100)
  }

  @Test func `room that a tag left is no junk`() async throws {
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    let room = [UInt8](repeating: 0, count: 3000)
    let output = try await make(
      Self.wav, of: makeFile("room.mp3", tag + room + track("good.mp3").drop { $0 != 0xFF }))
    #expect(output.manifest.warnings == [])
    #expect(output.manifest.audio?.first?.samples == 4 * 44_100)
  }

  @Test(arguments: [(44_100, "stereo"), (48_000, "mono"), (22_050, "stereo"), (16_000, "mono")])
  func `junk before the first frame costs no sample, and makes none`(rate: Int, layout: String)
    async throws
  {
    let good = try track("good.mp3", rate: rate, layout: layout).drop { $0 != 0xFF }
    let output = try await make(Self.wav, of: makeFile("front.mp3", Array("junk!".utf8) + good))
    let made = try MadeSound.samples(of: output.path("audio/clip.wav"))
    #expect(made.count == 4 * rate)
    let whole = try await make(Self.wav, of: makeFile("whole.mp3", Array(good)), as: "whole")
    #expect(try made == MadeSound.samples(of: whole.path("audio/clip.wav")))
  }

  @Test func `a track that breaks off is made as far as it goes, and the end is told`()
    async throws
  {
    let bytes = try track("good.mp3")
    let output = try await make(
      Self.wav, of: makeFile("cut.mp3", Array(bytes.prefix(bytes.count / 2 + 100))))
    let samples = try #require(output.manifest.audio?.first?.samples)
    #expect(abs(samples - 2 * 44_100) < 4000)
    let told = output.manifest.warnings.contains { $0.hasPrefix("audio ") && $0.contains(" 0:0") }
    #expect(told, "\(output.manifest.warnings)")
  }

  @Test func `a free format is refused by its name`() async throws {
    try MadeSound.write(
      path("free.mp3"), count: 88_200, codec: "libmp3lame", muxer: "mp3", rate: 44_100,
      MadeSound.sine(440, level: -12, rate: 44_100))
    var bytes = try Files.read(path("free.mp3")).drop { $0 != 0xFF }.map(\.self)
    var place = 0
    while place + 4 < bytes.count, let header = MPEGAudioHeader(bytes[place...]),
      let size = header.frameSize
    {
      bytes[place + 2] &= 0x0F
      place += size
    }
    let refusal = try await failure(Self.wav, of: makeFile("freed.mp3", bytes))
    #expect(refusal?.message.contains("free format") == true, "\(String(describing: refusal))")
  }

  @Test(.enabled(if: SharedMedia.isPresent, "\(SharedMedia.absent)"))
  func `a track behind 100 kB of something else is found and copied without that`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["copy", "wav"]}}"#,
      of: SharedMedia.path("audio/100kB-garbage-prefix.mp3"))
    #expect(output.manifest.files.map(\.path) == ["audio/clip.mp3", "audio/clip.wav"])
    let copy = try Files.read(output.path("audio/clip.mp3"))
    #expect(copy.count < 20_000)
    let told = output.manifest.warnings.contains { line in
      line.contains("bytes before the first frame, from byte 0 of the file on, are no sound")
    }
    #expect(told, "\(output.manifest.warnings)")
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

  /// An ID3v2 tag of so many bytes.
  private func tag(_ size: Int) -> [UInt8] {
    let count = size - 10
    let digits = [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
    return Array("ID3".utf8) + [4, 0, 0] + digits + [UInt8](repeating: 0, count: count)
  }

  @Test(arguments: [(0, false), (45, false), (30_010, false), (0, true), (45, true)])
  func `joined files are made to the end of the last, and where they meet is told`(
    size: Int, hasID3v1: Bool
  ) async throws {
    let good = try track("good.mp3").drop { $0 != 0xFF }
    let old = hasID3v1 ? Array("TAG".utf8) + [UInt8](repeating: 0, count: 125) : []
    let between = old + (size > 0 ? tag(size) : [])
    let output = try await make(
      Self.wav, of: makeFile("joined.mp3", Array(good) + between + good))
    let warnings = output.manifest.warnings
    #expect(warnings.count == 1 && !output.manifest.partial, "\(warnings)")
    #expect(warnings.first?.hasPrefix("audio at 0:04.0") == true)
    #expect(warnings.first?.contains("another MP3 file begins here") == true)
    // The padding of the first and the delay of the second stay between them, less than three frames.
    let samples = try #require(output.manifest.audio?.first?.samples)
    #expect((8 * 44_100..<8 * 44_100 + 3 * 1152).contains(samples), "\(samples)")
  }

  @Test func `a tag at the end is no joint`() async throws {
    let old = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    let output = try await make(
      Self.wav, of: makeFile("one.mp3", track("good.mp3") + old + tag(99)))
    #expect(output.manifest.audio?.first?.samples == 4 * 44_100)
    #expect(!output.manifest.warnings.contains { $0.contains("another MP3 file") })
  }

  @Test(arguments: [(500, 20_000), (500, 1 << 27), (200_000, 203_000)])
  func `a tag that says it is longer than it is costs no sound`(size: Int, said: Int)
    async throws
  {
    let good = try track("good.mp3").drop { $0 != 0xFF }
    let wrong = Array(tag(said).prefix(10)) + tag(size).dropFirst(10)
    let output = try await make(Self.wav, of: makeFile("long.mp3", wrong + good))
    #expect(output.manifest.audio?.first?.samples == 4 * 44_100)
    #expect(
      output.manifest.warnings == [
        "audio at 0:00.000: the tags of the file say that they go on behind byte \(size), where the "
          + "sound begins"
      ])
  }
}
