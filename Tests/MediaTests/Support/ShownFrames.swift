import FFmpeg

@testable import Media

/// Frames of one pixel for tests that look at times only.
enum ShownFrames {
  /// A frame that is shown at `seconds`.
  static func frame(at seconds: Double) throws -> ShownFrame {
    let frame = try Frame.picture(width: 2, height: 2, format: .gray8) { _, bytes, _ in
      for index in bytes.indices { bytes[index] = 0 }
    }
    return ShownFrame(frame: frame, seconds: seconds)
  }

  /// The frames of a clip of constant rate, at the times that a decoder gives: whole ticks of
  /// 1/90000 s where the rate allows.
  static func clip(rate: Int, count: Int) throws -> [ShownFrame] {
    let timeBase = Rational(1, 90_000)
    return try (0..<count).map { number in
      try frame(at: timeBase.seconds(of: Int64(number) * Int64(90_000 / rate)))
    }
  }
}
