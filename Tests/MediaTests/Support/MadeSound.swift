import FFmpeg
import Foundation
import TestSupport

/// Sound of known content, and what a file decodes to.
enum MadeSound {
  /// What is written of a channel: the value of a sample by its number.
  typealias Signal = (Int) -> Double

  /// A sine of a level in dB below full scale.
  static func sine(
    _ frequency: Double, level: Double, rate: Int = 48_000
  ) -> @Sendable (Int) -> Double {
    let amplitude = pow(10, level / 20)
    return { amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate)) }
  }

  /// Writes a file of sound, with the same signal on all channels.
  static func write(
    _ path: String, count: Int, codec: String = "pcm_s24le", muxer: String = "wav",
    rate: Int = 48_000, layout: String = "stereo", metadata: [String: String] = [:],
    muxerOptions: [String: String] = [:], _ signal: @escaping Signal
  ) throws {
    try write(
      path, tracks: [Track(language: nil, count: count, signal: signal)], codec: codec,
      muxer: muxer, rate: rate, layout: layout, metadata: metadata, muxerOptions: muxerOptions)
  }

  /// One of the tracks of a file.
  struct Track {
    var language: String?
    var count: Int
    var signal: Signal
  }

  /// Writes a file of several tracks.
  static func write(
    _ path: String, tracks: [Track], codec: String, muxer: String, rate: Int = 48_000,
    layout: String = "stereo", metadata: [String: String] = [:],
    muxerOptions: [String: String] = [:]
  ) throws {
    let output = try OutputContainer(path: path, formatName: muxer, metadata: metadata)
    let wanted = Encoder.sampleFormats(of: codec)
    let format = AudioFormat(
      sampleRate: rate, channelLayout: layout,
      sampleFormat: wanted.contains(.floatPlanar) ? .floatPlanar : wanted.last ?? .s16)
    var encoders: [Encoder] = []
    for track in tracks {
      let encoder = try Encoder(codec, audio: format, for: output)
      let tags = track.language.map { ["language": $0] } ?? [:]
      try output.addStream(for: encoder, metadata: tags)
      encoders.append(encoder)
    }
    try output.start(options: muxerOptions)
    for (index, track) in tracks.enumerated() {
      try encode(track, format, encoders[index], to: output, index)
    }
    try output.finish()
  }

  private static func encode(
    _ track: Track, _ format: AudioFormat, _ encoder: Encoder, to output: OutputContainer,
    _ stream: Int
  ) throws {
    let packet = try Packet()
    func move() throws {
      while case .packet = try encoder.receive(into: packet) {
        try output.write(packet, to: stream)
      }
    }
    let resampler = try Resampler(to: format, frameSize: encoder.frameSize, firstPTS: 0)
    func drain() throws {
      while let frame = try resampler.receive() {
        try encoder.send(frame)
        try move()
      }
    }
    for start in stride(from: 0, to: track.count, by: 4096) {
      let count = min(4096, track.count - start)
      try resampler.send(
        Frame.floats(
          count: count, sampleRate: format.sampleRate, channelLayout: format.channelLayout
        ) { _, samples in
          for index in samples.indices { samples[index] = Float(track.signal(start + index)) }
        })
      try drain()
    }
    try resampler.sendEndOfStream()
    try drain()
    try encoder.sendEndOfStream()
    try move()
  }

  /// The samples of the first channel that a file decodes to, 1 as full scale.
  static func samples(of path: String) throws -> [Float] {
    let container = try InputContainer(path: path)
    guard let stream = container.bestStream(.audio) else { return [] }
    container.discardStreams(except: [stream.index])
    let decoder = try Decoder(for: stream, of: container)
    let packet = try Packet()
    var format: AudioFormat?
    var resampler: Resampler?
    var samples: [Float] = []
    func take() throws {
      while let frame = try resampler?.receive() {
        frame.withFloats(channel: 0) { plane in
          for index in plane.indices { samples.append(plane[index]) }
        }
      }
    }
    func drain() throws {
      while case .frame(let frame) = try decoder.receive() {
        if format == nil, var found = frame.audioFormat {
          found.sampleFormat = .floatPlanar
          format = found
          resampler = try Resampler(to: found)
        }
        try resampler?.send(frame)
        try take()
      }
    }
    while try container.readPacket(into: packet) {
      guard packet.streamIndex == stream.index else { continue }
      try decoder.send(packet)
      try drain()
    }
    try decoder.sendEndOfStream()
    try drain()
    try resampler?.sendEndOfStream()
    try take()
    return samples
  }
}
