import FFmpeg
import Loudness

extension Manifest {
  /// Writes `audio`, the files made of tracks, and `tracks`, what is known of the tracks themselves.
  func writeTracks(_ json: inout JSONEmitter) {
    guard !tracks.isEmpty else { return }
    json.beginArray("audio")
    for track in tracks {
      for file in track.files { write(file, of: track, &json) }
    }
    json.end()
    json.beginArray("tracks")
    for track in tracks { write(track, &json) }
    json.end()
  }

  private func write(_ file: TrackFile, of track: TrackReport, _ json: inout JSONEmitter) {
    json.beginObject(inline: true)
    json.string("path", file.record.path)
    json.string("format", file.format)
    json.integer("track", track.number)
    json.string("codec", file.codec)
    json.integer("rate", file.rate)
    json.string("layout", file.layout)
    json.integer("samples", file.samples)
    json.bool("copy", file.format == "copy")
    json.end()
  }

  private func write(_ track: TrackReport, _ json: inout JSONEmitter) {
    json.beginObject()
    json.integer("track", track.number)
    json.integer("stream", track.stream.index)
    json.string("codec", track.stream.codecName)
    json.integer("rate", track.stream.audio?.sampleRate)
    json.string("layout", track.stream.audio?.channelLayout)
    json.string("language", track.stream.metadata["language"].flatMap { $0 == "und" ? nil : $0 })
    json.number("duration", track.measured?.duration ?? track.duration)
    if let measured = track.measured { write(measured, &json) }
    json.number("gain", track.gain.map(Self.hundredths))
    json.end()
  }

  private func write(_ measured: SoundReport, _ json: inout JSONEmitter) {
    json.integer("samples", measured.samples)
    json.number("loudness", measured.loudness.map(Self.hundredths))
    if measured.truePeak > 0 {
      json.number("truePeak", Self.hundredths(Decibels.level(of: measured.truePeak)))
    }
    json.beginObject("clipping", inline: true)
    json.integer("runs", measured.clipping.runs)
    json.integer("samples", measured.clipping.samples)
    json.number("first", measured.clipping.first.map(measured.seconds))
    json.end()
    json.beginObject("silence", inline: true)
    let sound = measured.sound ?? measured.samples..<measured.samples
    json.number("leading", measured.seconds(sound.lowerBound))
    json.number("trailing", measured.seconds(measured.samples - sound.upperBound))
    json.end()
  }

  /// Levels are known to a hundredth of a decibel at best.
  private static func hundredths(_ level: Double) -> Double { (level * 100).rounded() / 100 }
}

extension SoundReport {
  /// How long the track is, in seconds.
  fileprivate var duration: Double { seconds(samples) }

  /// The time of so many samples.
  fileprivate func seconds(_ samples: Int) -> Double {
    Double(samples) / Double(max(sampleRate, 1))
  }
}
