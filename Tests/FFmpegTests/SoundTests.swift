import FFmpeg
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct SoundTests {
  private static let stereo = AudioFormat(
    sampleRate: 44100, channelLayout: "stereo", sampleFormat: .s16)

  /// Interleaved samples with values that tell their place.
  private func ramp(_ count: Int, from first: Int = 0) throws -> Frame {
    try Frame.samples(count: count, format: Self.stereo, pts: Int64(first)) { bytes in
      for index in 0..<count {
        for channel in 0..<2 {
          let value = UInt16(truncatingIfNeeded: (first + index) * 3 + channel)
          bytes[index * 4 + channel * 2] = UInt8(value & 0xff)
          bytes[index * 4 + channel * 2 + 1] = UInt8(value >> 8)
        }
      }
    }
  }

  private func bytes(of frames: [Frame]) -> [UInt8] {
    frames.flatMap { frame in
      frame.withPlane(0) { bytes, _ in bytes.indices.map { bytes[$0] } }
    }
  }

  private func resample(
    _ frames: [Frame], to format: AudioFormat, frameSize: Int? = nil
  ) throws -> [Frame] {
    let resampler = try Resampler(to: format, frameSize: frameSize)
    var result: [Frame] = []
    for frame in frames {
      try resampler.send(frame)
      while let frame = try resampler.receive() { result.append(frame) }
    }
    try resampler.sendEndOfStream()
    while let frame = try resampler.receive() { result.append(frame) }
    return result
  }

  /// Encodes frames to a file.
  private func write(
    _ frames: [Frame], codec: String, format: String, to path: String,
    metadata: [String: String] = [:]
  ) throws {
    let output = try OutputContainer(path: path, formatName: format, metadata: metadata)
    let audio = try #require(frames.first?.audioFormat)
    let encoder = try Encoder(codec, audio: audio, for: output)
    let stream = try output.addStream(for: encoder)
    try output.start()
    let packet = try Packet()
    let receive = {
      while try encoder.receive(into: packet) == .packet { try output.write(packet, to: stream) }
    }
    for frame in try resample(frames, to: audio, frameSize: encoder.frameSize) {
      try encoder.send(frame)
      try receive()
    }
    try encoder.sendEndOfStream()
    try receive()
    try output.finish()
  }

  @Test func `the same format passes unchanged, cut to the frame size`() throws {
    let frames = [try ramp(1000), try ramp(777, from: 1000)]
    let cut = try resample(frames, to: Self.stereo, frameSize: 256)
    #expect(cut.map(\.sampleCount) == [Int](repeating: 256, count: 6) + [241])
    #expect(cut.map(\.pts) == (0..<7).map { Int64($0 * 256) })
    #expect(bytes(of: cut) == bytes(of: frames))
  }

  @Test func `another rate keeps the length, and nothing is lost at the end`() throws {
    var format = Self.stereo
    format.sampleRate = 48000
    let frames = try resample([ramp(44100)], to: format)
    #expect(abs(frames.reduce(0) { $0 + $1.sampleCount } - 48000) <= 16)
  }

  @Test func `a source that changes its format goes on`() throws {
    let mono = AudioFormat(sampleRate: 22050, channelLayout: "mono", sampleFormat: .float)
    let second = try Frame.samples(count: 22050, format: mono) { bytes in
      for index in bytes.indices { bytes[index] = 0 }
    }
    let frames = try resample([ramp(44100), second], to: Self.stereo)
    #expect(abs(frames.reduce(0) { $0 + $1.sampleCount } - 88200) <= 64)
  }

  @Test(arguments: [("pcm_s16le", "wav"), ("flac", "flac"), ("pcm_s16le", "matroska")])
  func `lossless codecs give back each sample`(codec: String, format: String) throws {
    let path = path("a:b %03d.\(format)")
    let frames = [try ramp(5000), try ramp(4321, from: 5000)]
    try write(frames, codec: codec, format: format, to: path, metadata: ["title": "Ramp"])
    #expect(bytes(of: try decode(path, kind: .audio).frames) == bytes(of: frames))
    let container = try InputContainer(path: path)
    let tags = container.metadata.map { ($0.key.lowercased(), $0.value) }
    #expect(tags.contains { $0 == ("title", "Ramp") })
  }

  @Test func `the same input gives the same file`() throws {
    let paths = ["1.mka", "2.mka"].map { path($0) }
    for path in paths {
      try write([ramp(5000)], codec: "flac", format: "matroska", to: path)
    }
    let files = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
    #expect(files[0] == files[1])
    #expect(!String(decoding: files[0], as: UTF8.self).contains("Lavf5"))
  }

  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    arguments: [
      ("audio/testcase.mp3", "mp3"), ("video/sample.mp4", "ipod"),
      ("audio/bbb_6ch_8kHz_opus.ogg", "ogg"), ("audio/bear_uncommon_sample_rate.flac", "flac"),
    ])
  func `a copied track decodes to the same samples`(file: String, format: String) throws {
    let path = path("copy")
    let input = try InputContainer(path: SharedFiles.media(file))
    let stream = try #require(input.bestStream(.audio))
    let output = try OutputContainer(path: path, formatName: format)
    let target = try output.addStream(copying: stream, of: input, metadata: stream.metadata)
    try output.start()
    input.discardStreams(except: [stream.index])
    let packet = try Packet()
    while try input.readPacket(into: packet) { try output.write(packet, to: target) }
    try output.finish()
    let copied = try decode(path, kind: .audio)
    let original = try decode(SharedFiles.media(file), kind: .audio)
    #expect(copied.errors.isEmpty)
    #expect(copied.samples == original.samples)
    #expect(bytes(of: copied.frames) == bytes(of: original.frames))
  }

  @Test func `what does not exist is named`() throws {
    let path = path("x")
    let code = { (body: () throws -> Void) in
      #expect(throws: FFmpegError.self, performing: body)?.code
    }
    #expect(code { _ = try OutputContainer(path: path, formatName: "nosuch") } == .muxerNotFound)
    #expect(
      code { _ = try OutputContainer(path: path + "/no/dir", formatName: "wav") }
        == .fileNotFound)
    let output = try OutputContainer(path: path, formatName: "wav")
    #expect(code { _ = try Encoder("nosuch", audio: Self.stereo, for: output) } == .encoderNotFound)
    let option = { _ = try Encoder("flac", audio: Self.stereo, for: output, options: ["x": "1"]) }
    #expect(code(option) == .optionNotFound)
    let layout = AudioFormat(sampleRate: 8000, channelLayout: "nosuch", sampleFormat: .s16)
    #expect(code { _ = try Resampler(to: layout) } == .invalidArgument)
  }

  @Test func `an encoder says which formats it takes`() {
    #expect(Encoder.sampleFormats(of: "flac").map(\.name) == ["s16", "s32"])
    #expect(Encoder.pixelFormats(of: "png").contains(.rgba))
    #expect(Encoder.exists("flac"))
    #expect(!Encoder.exists("nosuch"))
  }
}
