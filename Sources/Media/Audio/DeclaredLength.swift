import FFmpeg

/// How many samples a track has by the word of its container.
struct DeclaredLength: Equatable {
  /// Samples that are shown, encoder padding not counted.
  var shown: Int
  /// Samples that are stored, with the encoder's delay but not its padding; nil where that is unknown.
  var stored: Int?
  /// How far `shown` may be off: edit lists count in the ticks of the film, often 1000 a second.
  var slack = 0

  /// The samples that are shown of a track that begins with a delay of `leading`.
  ///
  /// Where the stored ones explain the difference, an edit list of coarse ticks was rounded.
  func count(leading: Int) -> Int {
    guard let stored else { return shown }
    let whole = stored - leading
    return whole > shown && whole - shown <= slack ? whole : shown
  }
}

extension DeclaredLength {
  /// What a file says about a track; nil where the packets tell by themselves, or nobody does.
  ///
  /// An MP4 file says it by its edit list, or by iTunes' own tag, and an MP3 file with junk in front by
  /// its ``LAMETag``, which FFmpeg then overlooks.
  init?(of stream: FFmpeg.Stream, in container: InputContainer) throws {
    if let tag = container.overlookedTag {
      self.init(shown: tag.sampleCount)
      return
    }
    guard container.formatName.hasPrefix("mov,"), stream.audio?.bitDepth == nil,
      let rate = stream.audio?.sampleRate, rate > 0
    else { return nil }
    if let tag = container.metadata["iTunSMPB"].flatMap(ITunesGapless.init) {
      self.init(shown: tag.sampleCount)
      return
    }
    guard let ticks = stream.durationTicks, ticks > 0, Int(stream.timeBase.den) >= rate else {
      return nil
    }
    func samples(_ ticks: Int64) -> Int {
      Int(stream.timeBase.rescale(ticks, to: Rational(1, Int32(clamping: rate))))
    }
    // 600 ticks a second are the coarsest in use, QuickTime's.
    self.init(
      shown: samples(ticks), stored: try container.storedTicks(of: stream).map(samples),
      slack: rate / 600 + 1)
  }
}

extension FFmpeg.Stream {
  /// Samples before the sound that the container tells of and FFmpeg marks no packet with.
  ///
  /// That is the `CodecDelay` of Matroska (RFC 9559, section 5.1.4.1.25). Of Opus it repeats the pre-skip
  /// of the track's own header, which the decoder cuts. Of an MP3 file it is that of an overlooked
  /// ``LAMETag``.
  func unmarkedDelay(in container: InputContainer) -> Int {
    if let tag = container.overlookedTag { return tag.delay }
    guard container.formatName.hasPrefix("matroska"), codecName != "opus" else { return 0 }
    return audio?.initialPadding ?? 0
  }
}

extension InputContainer {
  /// The tag of an MP3 file's first frame, where FFmpeg's demuxer does not look for it: behind junk.
  fileprivate var overlookedTag: LAMETag? {
    guard formatName == "mp3", beginning == nil,
      let start = try? MP3Beginning(ofFileAt: path, frames: 3), start.firstFrame > start.tagsEnd
    else { return nil }
    return start.tag
  }
}
