import FFmpeg
import Imaging
import TestSupport

/// Pictures as FFmpeg reads them, for looking into files of any format.
enum Pixels {
  /// The first picture of a file as it is stored, without turning it.
  static func read(_ path: String) throws -> RGBAImage { try convert(frame(of: path)) }

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

  private static func convert(_ frame: Frame) throws -> RGBAImage {
    var image = RGBAImage(size: PixelSize(width: frame.width, height: frame.height))
    var pixels = image.mutablePixels
    try Scaler().convertToRGBA(
      frame, width: frame.width, height: frame.height, into: &pixels)
    return image
  }

  /// The mean colour of a picture's quarter, counted from the top left by columns and rows of four.
  static func mean(_ image: RGBAImage, column: Int, row: Int, of parts: Int = 4) -> SIMD4<Int> {
    var sum = SIMD4<Int>.zero
    var count = 0
    for y in image.height * row / parts..<image.height * (row + 1) / parts {
      for x in image.width * column / parts..<image.width * (column + 1) / parts {
        sum &+= SIMD4<Int>(truncatingIfNeeded: image[x, y])
        count += 1
      }
    }
    return sum / SIMD4(repeating: max(1, count))
  }
}
