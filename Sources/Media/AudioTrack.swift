import FFmpeg
import Platform
import Recipes

/// What the manifest says of one audio file.
struct TrackReport {
  /// The file.
  let record: FileRecord
  /// Whether it is the input's own track, bit for bit.
  let isCopy: Bool
  /// FFmpeg's name of its codec.
  let codec: String
  /// The sound it holds.
  let parameters: AudioParameters?
  /// Samples of each channel, where they were counted.
  let samples: Int?
}

/// The `audio` section of a job: the track's packets copied, decoded, or both.
final class AudioTrack {
  private let stream: FFmpeg.Stream
  private let staging: StagingDirectory
  private let warnings: Warnings
  private let copy: TrackCopy?
  private let wave: WaveOutput?
  private let decoder: StreamDecoder?
  private var start: Double?
  private(set) var packetCount = 0
  private(set) var position = 0.0
  /// Where the last packet ends, in seconds from the first.
  private(set) var end = 0.0

  /// Opens what the section's formats need; the files are named after `stem`.
  init(
    _ stream: FFmpeg.Stream, of container: InputContainer, section: AudioSection, stem: String,
    into staging: StagingDirectory, warnings: Warnings
  ) throws {
    self.stream = stream
    self.staging = staging
    self.warnings = warnings
    copy =
      section.formats.contains(.copy)
      ? TrackCopy(stream, of: container, stem: stem, into: staging) : nil
    let wantsWave = section.formats.contains(.wav)
    // PCM is copied into a WAV file too.
    let isTaken = copy?.name == "audio/\(stem).wav"
    let waveName = "audio/\(stem)\(isTaken ? "-decoded" : "").wav"
    wave = wantsWave ? WaveOutput(name: waveName, in: staging) : nil
    decoder =
      wantsWave
      ? try StreamDecoder(stream, of: container, threads: 1, word: "audio", warnings: warnings)
      : nil
  }

  /// Bytes of an MP3 frame at most: 320 kbit/s at 32 kHz, and as much again for free formats.
  ///
  /// The
  /// parser hands over whatever lies between two frames as one packet.
  private static let longestMP3Frame = 2881

  /// Whether anything came out: packets, and decoded samples where those are asked for.
  var isEmpty: Bool { packetCount == 0 || wave?.sampleCount == 0 }

  /// Takes the track's next packet; damage becomes a warning.
  func consume(_ packet: Packet) throws {
    packetCount += 1
    if packet.isCorrupt {
      warnings.damage("audio at \(Timecode.text(position)): a damaged packet")
    }
    if stream.codecName == "mp3" && packet.size > Self.longestMP3Frame {
      warnings.damage(
        "audio at \(Timecode.text(position)): \(packet.size) bytes of the file are no sound")
    }
    if let seconds = packet.pts.map(stream.timeBase.seconds(of:)) {
      start = start ?? seconds
      position = max(position, seconds - (start ?? 0))
      end = max(end, position + stream.timeBase.seconds(of: packet.duration ?? 0))
    }
    try decode(packet)
    try copy?.write(packet)
  }

  /// Completes the files.
  func finish() throws -> [TrackReport] {
    try decode(nil)
    guard !isEmpty else { return [] }
    var reports: [TrackReport] = []
    let check = ReadBack()
    if let name = try copy?.finish() {
      reports.append(
        TrackReport(
          record: try check.record(of: staging.file(name), name: name), isCopy: true,
          codec: stream.codecName, parameters: stream.audio, samples: nil))
    }
    if let wave {
      try wave.finish()
      let record = try check.record(of: staging.file(wave.name), name: wave.name)
      reports.append(
        TrackReport(
          record: record, isCopy: false, codec: "pcm_s16le", parameters: stream.audio,
          samples: wave.sampleCount))
    }
    for report in reports { try staging.ledger.add(report.record) }
    return reports
  }

  private func decode(_ packet: Packet?) throws {
    guard let decoder, let wave else { return }
    try decoder.decode(packet, position: { position }) { try wave.write($0) }
  }
}
