internal import CFFmpeg

/// What the container says of a frame of sound that is not part of the track: the silence that an
/// encoder puts before the first sample (its delay) and after the last one (its padding).
public struct SamplePadding: Hashable, Sendable {
  /// Samples to leave out from here on; they may be more than the frame has.
  public var leading = 0
  /// Samples to leave out at the end of the frame.
  public var trailing = 0

  /// Padding of these lengths, in samples of each channel.
  public init(leading: Int = 0, trailing: Int = 0) {
    self.leading = leading
    self.trailing = trailing
  }

  /// Reads FFmpeg's side data of this kind: two little-endian counts, then the reasons.
  init(_ bytes: UnsafeRawBufferPointer) {
    let (leading, trailing) = unsafe (
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)),
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    )
    self.init(leading: Int(leading), trailing: Int(trailing))
  }
}

extension Frame {
  /// What the container says to leave out; only from a ``Decoder`` that keeps padding.
  public var padding: SamplePadding {
    let data = unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_SKIP_SAMPLES)
    guard let data = unsafe data, unsafe data.pointee.size >= 8 else { return SamplePadding() }
    return unsafe SamplePadding(UnsafeRawBufferPointer(start: data.pointee.data, count: 8))
  }

  /// Whether it was decoded only for others to refer to (edit lists).
  public var isDiscarded: Bool { unsafe pointer.pointee.flags & AV_FRAME_FLAG_DISCARD != 0 }

  /// Whether it has the rate, channels and sample format of another frame of sound.
  ///
  /// Cheaper than comparing ``audioFormat``, which describes the channels in words.
  public func isAlike(_ other: Frame) -> Bool {
    let (mine, others) = unsafe (pointer, other.pointer)
    return unsafe mine.pointee.sample_rate == others.pointee.sample_rate
      && mine.pointee.format == others.pointee.format
      && av_channel_layout_compare(&mine.pointee.ch_layout, &others.pointee.ch_layout) == 0
  }

  /// The samples of a range, counted from the frame's first, on the same memory.
  ///
  /// - Precondition: The frame has them.
  public func samples(in range: Range<Int>) throws(FFmpegError) -> Frame {
    precondition(range.lowerBound >= 0 && range.upperBound <= sampleCount, "a range of the frame")
    guard range.count < sampleCount else { return self }
    let part = try makeReference()
    unsafe km_take_samples(part.pointer, Int32(range.lowerBound), Int32(range.count))
    let ticks = Rational(1, Int32(clamping: max(sampleRate, 1)))
    part.setTime(pts.map { $0 + ticks.rescale(Int64(range.lowerBound), to: timeBase) })
    return part
  }

  /// Lends the samples of a channel of ``SampleFormat/floatPlanar``; the span ends with the call.
  ///
  /// - Precondition: The frame has this format and this channel.
  public func withFloats<R, E: Error>(
    channel: Int, _ body: (Span<Float>) throws(E) -> R
  ) throws(E) -> R {
    precondition(sampleFormat == .floatPlanar, "planes of floats")
    return try withSamples(channel: channel, body)
  }

  /// Lends the samples of a channel of ``SampleFormat/s16Planar``; the span ends with the call.
  ///
  /// - Precondition: The frame has this format and this channel.
  public func withInt16s<R, E: Error>(
    channel: Int, _ body: (Span<Int16>) throws(E) -> R
  ) throws(E) -> R {
    precondition(sampleFormat == .s16Planar, "planes of 16 bits")
    return try withSamples(channel: channel, body)
  }

  private func withSamples<Sample: BitwiseCopyable, R, E: Error>(
    channel: Int, _ body: (Span<Sample>) throws(E) -> R
  ) throws(E) -> R {
    precondition(channel >= 0 && channel < channels, "a channel of the frame")
    // The plane holds `sampleCount` samples for as long as the frame lives, and nothing writes to it.
    let start = unsafe UnsafeRawPointer(pointer.pointee.extended_data[channel])?
      .assumingMemoryBound(to: Sample.self)
    let samples = unsafe UnsafeBufferPointer(start: start, count: sampleCount)
    return try body(unsafe samples.span)
  }

  /// Makes planes of floats; `fill` gets each channel in turn, of undefined content, to write all.
  public static func floats(
    count: Int, sampleRate: Int, channelLayout: String, pts: Int64? = nil,
    fill: (_ channel: Int, _ samples: inout MutableSpan<Float>) -> Void
  ) throws(FFmpegError) -> Frame {
    let format = AudioFormat(
      sampleRate: sampleRate, channelLayout: channelLayout, sampleFormat: .floatPlanar)
    let frame = try emptySamples(count: count, format: format)
    frame.setTime(pts)
    for channel in 0..<frame.channels {
      // As above; nobody else has seen the frame yet.
      let start = unsafe UnsafeMutableRawPointer(frame.pointer.pointee.extended_data[channel])?
        .assumingMemoryBound(to: Float.self)
      let samples = unsafe UnsafeMutableBufferPointer(start: start, count: count)
      var span = unsafe samples.mutableSpan
      fill(channel, &span)
    }
    return frame
  }
}
