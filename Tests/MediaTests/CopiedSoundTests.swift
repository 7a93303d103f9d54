import FFmpeg
import Platform
import TestSupport
import Testing

@testable import Media

/// A track that is moved out of one container into another keeps its samples, and gains none.
@Suite(.temporaryDirectory) struct CopiedSoundTests {
  /// A number that no frame size divides.
  private static let count = 100_001
  private static let wav = #"{"audio": {"formats": ["wav"]}}"#
  private static let copy = #"{"audio": {"formats": ["copy"]}}"#

  private func film(_ codec: String, _ muxer: String, count: Int = count) throws -> String {
    let rate = codec == "libopus" ? 48_000 : 44_100
    let name = path("film.\(muxer)")
    try MadeSound.write(
      name, count: count, codec: codec, muxer: muxer, rate: rate,
      MadeSound.sine(440, level: -12, rate: rate))
    return name
  }

  /// What a file's track is heard as, by every sample of it.
  private func sound(of input: String, as name: String) async throws -> [Float] {
    let output = try await make(Self.wav, of: input, as: name)
    return try MadeSound.samples(of: output.path("audio/clip.wav"))
  }

  private func copy(of input: String) async throws -> String {
    let output = try await make(Self.copy, of: input, as: "copied")
    return output.path(try #require(output.manifest.audio?.first).path)
  }

  @Test(arguments: [
    ("libmp3lame", "mp4"), ("libmp3lame", "mov"), ("libmp3lame", "avi"), ("libmp3lame", "mpegts"),
    ("aac", "mov"), ("aac", "mpegts"), ("aac", "avi"), ("aac", "matroska"),
    ("libopus", "mp4"), ("libopus", "matroska"), ("libopus", "mpegts"),
    ("libvorbis", "matroska"), ("libvorbis", "mp4"), ("flac", "matroska"),
    ("alac", "caf"), ("alac", "matroska"), ("alac", "mov"),
  ])
  func `a copied track is heard as in the file that it comes from`(codec: String, muxer: String)
    async throws
  {
    let film = try film(codec, muxer)
    let copied = try await sound(of: copy(of: film), as: "copy")
    let whole = try await sound(of: film, as: "film")
    #expect(copied.count == whole.count)
    #expect(copied == whole)
  }

  @Test(arguments: [("libmp3lame", "mp4"), ("aac", "mov"), ("libopus", "matroska")])
  func `a copied track has the samples of what was encoded`(codec: String, muxer: String)
    async throws
  {
    let copied = try await sound(of: copy(of: film(codec, muxer)), as: "copy")
    #expect(copied.count == Self.count)
  }

  @Test(arguments: ["libmp3lame", "aac"], [1000, 1153, 1200])
  func `a track of a packet or two is heard as in its file too`(codec: String, count: Int)
    async throws
  {
    let film = try film(codec, "mov", count: count)
    let copied = try await sound(of: copy(of: film), as: "copy")
    #expect(try await copied == sound(of: film, as: "film"))
  }

  @Test func `times of milliseconds make no gap and no overlap`() async throws {
    let container = try InputContainer(path: await copy(of: film("aac", "matroska")))
    let stream = try #require(container.bestStream(.audio))
    let packet = try Packet()
    var next = try #require(stream.startPTS)
    while try container.readPacket(into: packet) {
      #expect(packet.pts == next)
      next = (packet.pts ?? 0) + (packet.duration ?? 0)
    }
  }

  /// AVI tells of no delay, and the tag of MP3 cannot tell of none.
  @Test func `a tag tells of no delay where nothing is known of it`() async throws {
    let copy = try await copy(of: film("libmp3lame", "avi"))
    #expect(try #require(try MP3Beginning(ofFileAt: copy, frames: 3)).tag == nil)
    let bytes = try Files.read(copy)
    let info = try #require(bytes.indices.first { bytes[$0...].starts(with: "Info".utf8) })
    // Players show the length by the number of frames: 88 of 1152 samples hold sound and delay.
    #expect(Array(bytes[info + 8..<info + 12]) == [0, 0, 0, 88])
  }

  @Test func `the samples of Opus packets are told by their first bytes`() throws {
    let film = try film("libopus", "matroska")
    let container = try InputContainer(path: film)
    let stream = try #require(container.bestStream(.audio))
    let counter = try #require(PacketSampleCounter(for: stream, of: container))
    let packet = try Packet()
    var total = 0
    while try container.readPacket(into: packet) { total += counter.count(packet) }
    // 20 ms a packet; 312 samples are the encoder's delay.
    #expect(total == (Self.count + 312 + 959) / 960 * 960)
  }
}
