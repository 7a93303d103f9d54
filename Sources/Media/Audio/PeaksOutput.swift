import FFmpeg
import ImageFiles
import Platform
import Recipes

/// The waveform of a track: a JSON file for each zoom level, and a picture.
///
/// All are of the mean of the channels in 16 bits, and grow with the picture's width or go to the disk
/// as they come: the track's length does not matter.
final class PeaksOutput: SoundSink {
  private let section: AudioSection
  private let stem: String
  private let staging: StagingDirectory
  private var work: Work?

  private final class Work {
    let converter: SampleConverter
    let levels: [Level]
    var picture = WaveformPicture()
    var mono: [Int16] = []

    init(converter: SampleConverter, levels: [Level]) {
      self.converter = converter
      self.levels = levels
    }
  }

  /// One zoom level.
  private final class Level {
    let name: String
    var buckets: PeakBuckets
    var json: WaveformJSON?

    init(name: String, buckets: PeakBuckets, json: consuming WaveformJSON) {
      self.name = name
      self.buckets = buckets
      self.json = consume json
    }

    func add(_ samples: Span<Int16>) throws {
      var buckets = buckets
      try buckets.add(samples) { try json?.add($0) }
      self.buckets = buckets
    }
  }

  /// Makes ready to write the files, which are named after `stem`.
  init(_ section: AudioSection, stem: String, in staging: StagingDirectory) {
    self.section = section
    self.stem = stem
    self.staging = staging
  }

  func write(_ frame: Frame) throws {
    guard let work = try work ?? open(frame.audioFormat) else { return }
    try work.converter.convert(frame) { frame in
      frame.mixDown(into: &work.mono)
      let mono = work.mono
      work.picture.add(mono.span)
      for level in work.levels { try level.add(mono.span) }
    }
  }

  func finish(_ check: ReadBack) throws -> [TrackFile] {
    guard let work else { return [] }
    var files: [TrackFile] = []
    for level in work.levels {
      if let rest = level.buckets.takeRest() { try level.json?.add(rest) }
      if let json = level.json.take() { try json.finish() }
      files.append(
        TrackFile(
          record: try check.record(of: staging.file(level.name), name: level.name),
          format: "peaks"))
    }
    let image = work.picture.draw()
    let record = try staging.writePNG("audio/\(stem)-peaks.png", image, check: check)
    return files + [TrackFile(record: record, format: "peaks")]
  }

  private func open(_ source: AudioFormat?) throws -> Work? {
    guard let source else { return nil }
    var format = source
    format.sampleFormat = .s16Planar
    let levels = try section.peaksPerSecond.map { points in
      let suffix = section.peaksPerSecond.count == 1 ? "" : "-\(points)"
      let name = "audio/\(stem)-peaks\(suffix).json"
      let size = Int((Double(source.sampleRate) / Double(points)).rounded())
      let buckets = PeakBuckets(size: size)
      return Level(
        name: name, buckets: buckets,
        json: try WaveformJSON(
          staging.file(name), sampleRate: source.sampleRate, samplesPerPixel: buckets.size,
          bits: section.peaksBits))
    }
    let work = Work(converter: SampleConverter(to: format), levels: levels)
    self.work = work
    return work
  }
}

extension Frame {
  /// Writes the mean of all channels, planes of 16 bits, cut towards zero.
  fileprivate func mixDown(into mono: inout [Int16]) {
    if mono.count != sampleCount { mono = [Int16](repeating: 0, count: sampleCount) }
    var target = mono.mutableSpan
    switch channels {
    case 1:
      withInt16s(channel: 0) { only in
        for index in target.indices { target[index] = only[index] }
      }
    case 2:
      withInt16s(channel: 0) { left in
        withInt16s(channel: 1) { right in
          for index in target.indices {
            target[index] = Int16((Int32(left[index]) + Int32(right[index])) / 2)
          }
        }
      }
    default:
      var sums = [Int32](repeating: 0, count: sampleCount)
      for channel in 0..<channels {
        withInt16s(channel: channel) { samples in
          for index in samples.indices { sums[index] += Int32(samples[index]) }
        }
      }
      for index in target.indices { target[index] = Int16(sums[index] / Int32(channels)) }
    }
  }
}
