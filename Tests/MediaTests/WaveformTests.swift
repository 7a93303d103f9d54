import FFmpeg
import Foundation
import ImageFiles
import Imaging
import Platform
import TestSupport
import Testing

@testable import Media

/// Waveforms, spectrograms and covers.
@Suite(.temporaryDirectory) struct WaveformTests {
  /// A waveform as `audiowaveform` writes it.
  private struct Waveform: Decodable {
    let version: Int
    let channels: Int
    let sample_rate: Int
    let samples_per_pixel: Int
    let bits: Int
    let length: Int
    let data: [Int]
  }

  private func waveform(_ output: MadeOutput, _ name: String) throws -> Waveform {
    try JSONDecoder().decode(
      Waveform.self, from: Data(try Files.read(output.path("audio/\(name)"))))
  }

  /// Half a second each of a positive and of a negative level.
  private func steps() throws -> String {
    try MadeSound.write(path("in.wav"), count: 48_000, codec: "pcm_s16le") {
      $0 < 24_000 ? 0.5 : -0.25
    }
    return path("in.wav")
  }

  @Test func `the points are the lowest and highest values of as many samples`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["peaks"], "peaksPerSecond": 8, "peaksBits": 16}}"#, of: steps())
    let made = try waveform(output, "clip-peaks.json")
    #expect(made.version == 2 && made.channels == 1 && made.bits == 16)
    #expect(made.sample_rate == 48_000 && made.samples_per_pixel == 6000)
    #expect(made.length == 8)
    #expect(
      made.data == [Int](repeating: 16_384, count: 8) + [Int](repeating: -8192, count: 8))
  }

  @Test func `points of 8 bits are cut towards zero`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["peaks"], "peaksPerSecond": 2}}"#, of: steps())
    #expect(try waveform(output, "clip-peaks.json").data == [64, 64, -32, -32])
  }

  @Test func `each zoom is a file, and a last point may be short`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["peaks"], "peaksPerSecond": [100, 7]}}"#, of: steps())
    #expect(
      output.manifest.audio?.map(\.path) == [
        "audio/clip-peaks-7.json", "audio/clip-peaks-100.json", "audio/clip-peaks.png",
      ])
    let coarse = try waveform(output, "clip-peaks-7.json")
    #expect(coarse.samples_per_pixel == 6857 && coarse.length == 8)
    #expect(coarse.data.count == 16)
    #expect(try waveform(output, "clip-peaks-100.json").length == 100)
  }

  @Test func `the picture of a waveform shows where it is loud`() async throws {
    let output = try await make(#"{"audio": {"formats": ["peaks"]}}"#, of: steps())
    let image = try output.picture("audio/clip-peaks.png").image
    #expect(image.size == WaveformPicture.size)
    func rows(_ x: Int) -> [Int] {
      (0..<image.height).filter { image.pixels[$0 * image.width + x].w > 0 }
    }
    // 0.5 is a quarter from the top, -0.25 five eighths.
    #expect(rows(100) == [63])
    #expect(rows(image.width - 100) == [159])
  }

  @Test func `a picture of any length keeps its size`() {
    var picture = WaveformPicture()
    for block in 0..<3000 {
      let value = Int16(block % 100 * 300)
      let samples = [Int16](repeating: block % 2 == 0 ? value : -value, count: 1152)
      picture.add(samples.span)
    }
    let image = picture.draw()
    #expect(image.size == WaveformPicture.size)
    #expect(image.pixels.count { $0.w > 0 } > WaveformPicture.size.width * 100)
  }

  @Test func `a spectrogram shows a sine as a line at its frequency`() async throws {
    try MadeSound.write(path("in.wav"), count: 96_000, MadeSound.sine(6000, level: -6))
    let output = try await make(
      #"{"audio": {"formats": ["spectrogram"]}}"#, of: path("in.wav"))
    let image = try output.picture("audio/clip-spectrogram.png").image
    #expect(image.size == SpectrumColumns.size)
    func brightness(_ y: Int) -> Int {
      let pixel = image.pixels[y * image.width + image.width / 2]
      return Int(pixel.x) + Int(pixel.y) + Int(pixel.z)
    }
    // 6 of 24 kHz: a quarter from below.
    let brightest = (0..<image.height).max { brightness($0) < brightness($1) } ?? 0
    #expect(abs(brightest - image.height * 3 / 4) <= 1)
    #expect(brightness(100) < 20)
  }

  @Test func `the cover is the picture of the tags, bit for bit`() async throws {
    let track = Checkout.sample("track.mp3")
    let output = try await make(#"{"audio": {"formats": ["cover"]}}"#, of: track)
    #expect(output.manifest.files.map(\.path) == ["audio/clip-cover.jpg"])
    let source = try InputContainer(path: track)
    let stream = try #require(source.streams.first { $0.isAttachedPicture })
    #expect(
      try Files.read(output.path("audio/clip-cover.jpg")) == source.attachedPicture(of: stream))
  }

  @Test(arguments: ["opus", "mp3", "m4a", "flac"])
  func `a file that is encoded anew has the cover of its source`(format: String) async throws {
    let track = Checkout.sample("track.mp3")
    let output = try await make("{\"audio\": {\"formats\": [\"\(format)\"]}}", of: track)
    let source = try InputContainer(path: track)
    let made = try InputContainer(path: output.path("audio/clip.\(format)"))
    let picture = try #require(made.streams.first { $0.isAttachedPicture })
    let original = try #require(source.streams.first { $0.isAttachedPicture })
    #expect(made.attachedPicture(of: picture) == source.attachedPicture(of: original))
    #expect(picture.video?.width == original.video?.width)
  }

  @Test func `a copy in an Ogg file has the cover of its source`() async throws {
    let opus = try await make(
      #"{"audio": {"formats": ["opus"]}}"#, of: Checkout.sample("track.mp3"), as: "first")
    let input = path("in.mp4")
    let container = try InputContainer(path: opus.path("audio/clip.opus"))
    let (sound, picture) = (container.streams[0], container.streams[1])
    let output = try OutputContainer(path: input, formatName: "mp4")
    try output.addStream(copying: sound, of: container)
    try output.addPicture(copying: picture, of: container)
    try output.start()
    try output.writePictures()
    let packet = try Packet()
    while try container.readPacket(into: packet) {
      if packet.streamIndex == sound.index { try output.write(packet, to: 0) }
    }
    try output.finish()
    let made = try await make(#"{"audio": {}}"#, of: input)
    let copy = try InputContainer(path: made.path("audio/clip.opus"))
    #expect(copy.streams.contains { $0.isAttachedPicture })
  }

  @Test func `a track without cover is no error, and the note says so`() async throws {
    let output = try await make(
      #"{"audio": {"formats": ["wav", "cover"]}}"#, of: steps())
    #expect(output.manifest.warnings == ["skipped: no cover picture in the tags"])
    #expect(!output.manifest.partial)
  }
}
