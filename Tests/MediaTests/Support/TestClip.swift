import FFmpeg

/// Writes clips for tests: plain pictures, any times.
enum TestClip {
  /// A clip of grey pictures, each brighter than the one before, shown at these rising times.
  static func write(
    _ path: String, milliseconds: [Int], width: Int = 64, height: Int = 48,
    sampleAspectRatio: Rational = Rational(1, 1)
  ) throws {
    let output = try OutputContainer(path: path, formatName: "matroska")
    var shape = Encoder.Video(
      width: width, height: height, format: .yuv420p, timeBase: .milliseconds)
    shape.sampleAspectRatio = sampleAspectRatio
    let encoder = try Encoder("ffv1", video: shape, for: output)
    try output.addStream(for: encoder)
    try output.start()
    let packet = try Packet()
    func move() throws {
      while case .packet = try encoder.receive(into: packet) { try output.write(packet, to: 0) }
    }
    for (number, time) in milliseconds.enumerated() {
      try encoder.send(
        grey(luma(number), width: width, height: height, pts: Int64(time), sampleAspectRatio))
      try move()
    }
    try encoder.sendEndOfStream()
    try move()
    try output.finish()
  }

  /// The luma of frame `number`, counted from 0.
  static func luma(_ number: Int) -> UInt8 { UInt8(16 + (number * 2) % 220) }

  private static func grey(
    _ luma: UInt8, width: Int, height: Int, pts: Int64, _ ratio: Rational
  ) throws -> Frame {
    try Frame.picture(
      width: width, height: height, format: .yuv420p, pts: pts, timeBase: .milliseconds,
      sampleAspectRatio: ratio
    ) { plane, bytes, _ in
      for index in bytes.indices { bytes[index] = plane == 0 ? luma : 128 }
    }
  }
}
