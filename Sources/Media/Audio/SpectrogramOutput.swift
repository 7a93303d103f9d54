import FFmpeg
import Imaging

/// The spectrogram of a track: time from left to right, frequencies from 0 below to half the sample
/// rate above, levels as colours.
///
/// As many transforms share a column as the track is long: memory is bounded by the picture.
final class SpectrogramOutput: SoundSink {
  private let name: String
  private let staging: StagingDirectory
  private let transform: RealTransform
  private let window: [Float]
  private var converter: SampleConverter?
  /// The samples that wait for the next transform, of all channels together.
  private var waiting: [Float] = []
  private var columns = SpectrumColumns()

  private static let log2Size = 11

  /// Makes ready to write the picture, which is named after `stem`.
  init(stem: String, in staging: StagingDirectory) throws {
    name = "audio/\(stem)-spectrogram.png"
    self.staging = staging
    transform = try RealTransform(log2Size: Self.log2Size)
    window = HannWindow.make(transform.size)
  }

  func write(_ frame: Frame) throws {
    if converter == nil, let format = frame.audioFormat {
      converter = SampleConverter(toFloats: format)
    }
    try converter?.convert(frame) { frame in
      mix(frame)
      transformWaiting()
    }
  }

  func finish(_ check: ReadBack) throws -> [TrackFile] {
    guard converter != nil else { return [] }
    // What is left is shorter than a transform; silence fills it up.
    waiting.append(contentsOf: repeatElement(0, count: transform.size))
    transformWaiting()
    let image = columns.draw(fullScale: Double(transform.size) / 4)
    let record = try staging.writePNG(name, image, check: check)
    return [TrackFile(record: record, format: "spectrogram")]
  }

  /// Appends the mean of all channels.
  private func mix(_ frame: Frame) {
    let start = waiting.count
    waiting.append(contentsOf: repeatElement(0, count: frame.sampleCount))
    let share = 1 / Float(frame.channels)
    for channel in 0..<frame.channels {
      frame.withFloats(channel: channel) { samples in
        for index in samples.indices { waiting[start + index] += samples[index] * share }
      }
    }
  }

  private func transformWaiting() {
    var windowed = window
    var spectrum = [Float](repeating: 0, count: transform.size / 2)
    var start = 0
    while start + transform.size <= waiting.count {
      for index in windowed.indices { windowed[index] = waiting[start + index] * window[index] }
      for index in spectrum.indices { spectrum[index] = 0 }
      transform.addPower(of: windowed, to: &spectrum)
      columns.add(spectrum)
      // Hann windows overlap by half, so that each sample counts once.
      start += transform.size / 2
    }
    waiting.removeFirst(start)
  }
}
