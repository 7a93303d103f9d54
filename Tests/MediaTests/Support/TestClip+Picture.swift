import FFmpeg
import Imaging

extension TestClip {
  /// A clip of one picture without losses, in a pixel format and with the colours that are said, or
  /// without saying so.
  static func write(
    _ path: String, picture: RGBAImage, format: String, colour: ColourDescription,
    isTagged: Bool = true
  ) throws {
    guard let format = PixelFormat(named: format) else {
      throw FFmpegError(code: .invalidArgument, call: "av_get_pix_fmt", subject: format)
    }
    let (width, height) = (picture.width, picture.height)
    let source = try Frame.picture(
      width: width, height: height, format: .rgba, pts: 0, timeBase: .milliseconds
    ) { _, bytes, stride in
      for y in 0..<height {
        for x in 0..<width {
          for channel in 0..<4 { bytes[y * stride + 4 * x + channel] = picture[x, y][channel] }
        }
      }
    }
    let frame = try Scaler().convert(source, to: format, colour: colour)
    let output = try OutputContainer(path: path, formatName: "matroska")
    var shape = Encoder.Video(
      width: width, height: height, format: format, timeBase: .milliseconds)
    shape.colour = colour
    if !isTagged { shape.colour?.matrix = .unspecified }
    let encoder = try Encoder("ffv1", video: shape, for: output)
    try output.addStream(for: encoder)
    try output.start()
    let packet = try Packet()
    func move() throws {
      while case .packet = try encoder.receive(into: packet) { try output.write(packet, to: 0) }
    }
    try encoder.send(isTagged ? frame : frame.assuming(.unspecified))
    try move()
    try encoder.sendEndOfStream()
    try move()
    try output.finish()
  }
}

extension Truth {
  /// The picture over a screen of one colour.
  func picture(over screen: SIMD4<UInt8>) -> RGBAImage {
    RGBAImage(
      size: image.size,
      pixels: image.pixels.map { pixel in
        var mixed = screen
        for channel in 0..<3 { mixed[channel] = UInt8(Self.composite(pixel, channel, screen)) }
        return mixed
      })
  }
}
