import FFmpeg
import Imaging

/// Pictures as FFmpeg reads them, for looking into files of any format.
enum Pixels {
  /// The first picture of a file as straight RGBA, as it is stored.
  static func read(_ path: String) throws -> RGBAImage {
    let frame = try frame(of: path)
    var image = RGBAImage(size: PixelSize(width: frame.width, height: frame.height))
    var pixels = image.mutablePixels
    try Scaler().convertToRGBA(
      frame, width: frame.width, height: frame.height, into: &pixels)
    return image
  }

  /// The first decoded frame of a file.
  static func frame(of path: String) throws -> Frame {
    let container = try InputContainer(path: path)
    guard let stream = container.bestStream(.video) else {
      throw FFmpegError(code: .streamNotFound, call: "bestStream", subject: path)
    }
    let decoder = try Decoder(for: stream, of: container)
    let packet = try Packet()
    while true {
      switch try decoder.receive() {
      case .frame(let frame): return frame
      case .drained: throw FFmpegError(code: .endOfFile, call: "receive", subject: path)
      case .needsInput:
        if try container.readPacket(into: packet) {
          if packet.streamIndex == stream.index { try decoder.send(packet) }
        } else {
          try decoder.sendEndOfStream()
        }
      }
    }
  }

  /// The mean of a part of a picture, its place given in 0…1 of width and height.
  static func mean(
    _ image: RGBAImage, x: ClosedRange<Double> = 0...1, y: ClosedRange<Double> = 0...1
  ) -> SIMD4<Double> {
    func pixels(_ range: ClosedRange<Double>, _ count: Int) -> Range<Int> {
      let first = Int(range.lowerBound * Double(count - 1))
      return first..<max(first + 1, Int(range.upperBound * Double(count)))
    }
    var sum = SIMD4<Double>.zero
    var count = 0.0
    for row in pixels(y, image.height) {
      for column in pixels(x, image.width) {
        sum += SIMD4<Double>(SIMD4<Int>(truncatingIfNeeded: image[column, row]))
        count += 1
      }
    }
    return sum / count
  }
}
