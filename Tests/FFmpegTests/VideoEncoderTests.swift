import FFmpeg
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct VideoEncoderTests {
  @Test func `pictures encoded without loss come back with colour and times`() throws {
    let path = path("v.mkv")
    let colour = ColourDescription(
      matrix: .bt709, isFullRange: false, transfer: .bt709, primaries: .bt709)
    let output = try OutputContainer(path: path, formatName: "matroska")
    let video = Encoder.Video(
      width: 66, height: 50, format: .yuv420p, timeBase: .milliseconds, colour: colour)
    let encoder = try Encoder("ffv1", video: video, for: output)
    let stream = try output.addStream(for: encoder)
    try output.start()
    let packet = try Packet()
    let times: [Int64] = [0, 40, 120, 130]
    let receive = {
      while try encoder.receive(into: packet) == .packet { try output.write(packet, to: stream) }
    }
    for (index, time) in times.enumerated() {
      try encoder.send(
        Frame.picture(
          width: 66, height: 50, format: .yuv420p, pts: time * 1000, colour: colour
        ) { plane, bytes, _ in
          for place in bytes.indices {
            bytes[place] = UInt8(truncatingIfNeeded: place + plane * index)
          }
        })
      try receive()
    }
    try encoder.sendEndOfStream()
    try receive()
    try output.finish()

    let frames = try decode(path).frames
    #expect(frames.map(\.seconds) == times.map { Double($0) / 1000 })
    #expect(frames.first?.colour == colour)
    let matches = frames.indices.allSatisfy { index in
      frames[index].withPlane(1) { bytes, stride in
        // Only the stride of the source is unknown here; the first row is enough.
        (0..<33).allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0 + index) }
      }
    }
    #expect(matches)
  }
}
