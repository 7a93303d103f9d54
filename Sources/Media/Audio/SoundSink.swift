import FFmpeg

/// Something that is made of a track's sound.
protocol SoundSink: AnyObject {
  /// Takes the next samples; all are of one format.
  func write(_ frame: Frame) throws

  /// Completes what is made and gives its files; none where no sample came.
  func finish(_ check: ReadBack) throws -> [TrackFile]
}

/// What the manifest says of one file made of a track.
struct TrackFile {
  /// The file.
  let record: FileRecord
  /// What the recipe calls it: `copy`, `flac`, `peaks`, ….
  let format: String
  /// FFmpeg's name of the codec of its sound; nil for pictures and data.
  var codec: String?
  /// Samples a second.
  var rate: Int?
  /// The channels as FFmpeg describes them.
  var layout: String?
  /// Samples of each channel, where they were counted.
  var samples: Int?
}
