import FFmpeg
import Platform

/// A waveform as `audiowaveform` writes it to JSON, version 2: a header, and the lowest and highest
/// value of each point in turn.
///
/// The points go to the disk as they come. `length` stands at the end, when it is known; the order of
/// members means nothing in JSON.
struct WaveformJSON: ~Copyable {
  private let file: FileDescriptor
  private let divisor: Int
  private var text: String
  private var length = 0

  private static let flushSize = 1 << 16

  /// Begins a file of points of `bits` bits, 8 or 16.
  init(_ path: String, sampleRate: Int, samplesPerPixel: Int, bits: Int) throws(PlatformError) {
    file = try FileDescriptor.open(path, .create)
    // Points are cut to 8 bits towards zero, as audiowaveform does.
    divisor = bits == 8 ? 256 : 1
    text =
      "{\"version\":2,\"channels\":1,\"sample_rate\":\(sampleRate),"
      + "\"samples_per_pixel\":\(samplesPerPixel),\"bits\":\(bits),\"data\":["
  }

  /// Adds a point.
  mutating func add(_ pair: PeakPair) throws(PlatformError) {
    if length > 0 { text += "," }
    text += "\(Int(pair.low) / divisor),\(Int(pair.high) / divisor)"
    length += 1
    guard text.utf8.count >= Self.flushSize else { return }
    try file.writeAll(text)
    text = ""
  }

  /// Completes the file.
  consuming func finish() throws(PlatformError) {
    try file.writeAll(text + "],\"length\":\(length)}\n")
    try file.close()
  }
}
