import FFmpeg

/// A decoder that goes on over damage: what fails becomes a warning with its time.
final class StreamDecoder {
  private let decoder: Decoder
  private let word: String
  private let warnings: Warnings

  /// Damaged data can fail many times in a row without using up input; this ends it.
  ///
  /// Speech codecs
  /// and PCM give a few frames a packet, so no sound stream comes near.
  private static let mostFailuresPerPacket = 1000

  /// Opens the decoder of `stream`; `word` says in warnings what it decodes.
  ///
  /// With `keepsPadding` sound comes out with what encoders put around it, marked as such.
  init(
    _ stream: FFmpeg.Stream, of container: InputContainer, threads: Int, word: String,
    warnings: Warnings, keepsPadding: Bool = false
  ) throws(FFmpegError) {
    decoder = try Decoder(
      for: stream, of: container, threads: threads, keepsPadding: keepsPadding)
    self.word = word
    self.warnings = warnings
  }

  /// Decodes a packet, or with nil what is left, and gives each frame to `show`.
  ///
  /// `position` tells how far the stream has come, in seconds, for warnings. Throws only what `show`
  /// throws.
  func decode(
    _ packet: Packet?, position: () -> Double, show: (Frame) throws -> Void
  ) throws {
    var faults: [String] = []
    do throws(FFmpegError) {
      if let packet { try decoder.send(packet) } else { try decoder.sendEndOfStream() }
    } catch {
      faults.append(error.reason)
    }
    while let frame = nextFrame(&faults) {
      if frame.hasDecodeErrors { faults.append("damaged data was concealed") }
      try show(frame)
    }
    warn(of: faults, at: position())
  }

  /// Forgets what came before: another file begins, whose first packet refers to none.
  func beginAgain() { decoder.reset() }

  private func nextFrame(_ faults: inout [String]) -> Frame? {
    for _ in 0..<Self.mostFailuresPerPacket {
      do throws(FFmpegError) {
        guard case .frame(let frame) = try decoder.receive() else { return nil }
        return frame
      } catch {
        faults.append(error.reason)
        guard error.code == .invalidData else { return nil }
      }
    }
    return nil
  }

  /// Tells what was wrong with a packet: in the decoder's own words where it has logged any, which say
  /// more than its error code, and each only once.
  private func warn(of faults: [String], at seconds: Double) {
    let logged = LogCapture.take().lines.map(\.message)
    var told: Set<String> = []
    for fault in logged.isEmpty ? faults : logged where told.insert(fault).inserted {
      warnings.damage("\(word) at \(Timecode.text(seconds)): \(fault)")
    }
  }
}
