internal import CFFmpeg

/// Converts sound to one format, and cuts it to the frame size that an encoder wants.
///
/// ``send(_:)`` frames as they are decoded, ``receive()`` until nil after each, and once more after
/// ``sendEndOfStream()``. The format of the source may change on the way. Gaps between frames are
/// not filled: times count on from the first frame.
@safe public final class Resampler {
  /// The format of the frames that come out.
  public let format: AudioFormat
  /// Samples of each frame that comes out, the last one aside; nil for as many as there are.
  public let frameSize: Int?

  // Both owned. `converter` is null before the first frame.
  private var converter: OpaquePointer?
  private let queue: OpaquePointer
  /// The first of the frames that `converter` is for.
  private var source: Frame?
  private var nextPTS: Int64?
  /// Samples that `converter` was given.
  private var taken = 0
  /// Samples that came out of it.
  private var given = 0
  private var isEnded = false

  /// Creates a resampler to `format`, whose time base is one tick a sample.
  /// - Parameters:
  ///   - format: What comes out.
  ///   - frameSize: Samples of each frame that comes out, the last one aside; nil for any number.
  ///   - firstPTS: The time of the first sample, in samples; nil for that of the first frame.
  /// - Throws: `invalidArgument` where the channel layout is none.
  public init(
    to format: AudioFormat, frameSize: Int? = nil, firstPTS: Int64? = nil
  ) throws(FFmpegError) {
    self.format = format
    self.frameSize = frameSize
    nextPTS = firstPTS
    let channels = try ChannelLayout(format.channelLayout).channels
    let queue = unsafe av_audio_fifo_alloc(format.sampleFormat.code, Int32(channels), 1)
    guard let queue = unsafe queue else { throw outOfMemory("av_audio_fifo_alloc") }
    unsafe self.queue = queue
    unsafe converter = nil
  }

  deinit {
    unsafe swr_free(&converter)
    unsafe av_audio_fifo_free(queue)
  }

  /// Hands over the next frame of sound.
  public func send(_ frame: Frame) throws(FFmpegError) {
    precondition(!isEnded, "nothing follows the end of the stream")
    if source?.isAlike(frame) != true {
      guard let format = frame.audioFormat else { return }
      try drain()
      try convert(from: format)
      source = frame
    }
    if nextPTS == nil { nextPTS = frame.pts.map { frame.timeBase.rescale($0, to: timeBase) } ?? 0 }
    let planes = unsafe UnsafeMutableRawPointer(frame.pointer.pointee.extended_data)
      .assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
    taken += frame.sampleCount
    try unsafe queueConverted(planes, count: Int32(frame.sampleCount))
  }

  /// Says that there are no more frames; what the filters hold back comes out.
  public func sendEndOfStream() throws(FFmpegError) {
    try drain()
    isEnded = true
  }

  /// Gives the next frame, or nil where it needs more input, or is at its end.
  public func receive() throws(FFmpegError) -> Frame? {
    let available = unsafe Int(av_audio_fifo_size(queue))
    let wanted = frameSize ?? available
    let count = isEnded ? min(wanted, available) : wanted
    guard count > 0, count <= available else { return nil }
    let frame = try Frame.emptySamples(count: count, format: format)
    try unsafe check(
      av_audio_fifo_read(queue, frame.pointer.voidPlanes, Int32(count)), "av_audio_fifo_read",
      "resampler")
    frame.setTime(nextPTS)
    nextPTS = nextPTS.map { $0 + Int64(count) }
    return frame
  }

  private var timeBase: Rational { Rational(1, Int32(clamping: format.sampleRate)) }

  private func convert(from source: AudioFormat) throws(FFmpegError) {
    unsafe swr_free(&converter)
    var input = try ChannelLayout(source.channelLayout)
    var output = try ChannelLayout(format.channelLayout)
    let result = unsafe swr_alloc_set_opts2(
      &converter, &output.value, format.sampleFormat.code, Int32(clamping: format.sampleRate),
      &input.value, source.sampleFormat.code, Int32(clamping: source.sampleRate), 0, nil)
    try check(result, "swr_alloc_set_opts2", "resampler")
    if unsafe input.value.order == AV_CHANNEL_ORDER_UNSPEC, input.channels != output.channels {
      // Channels without a place: their mean goes into all.
      let count = input.channels
      let shares = [Double](repeating: 1 / Double(count), count: count * output.channels)
      try unsafe check(
        swr_set_matrix(converter, shares, Int32(count)), "swr_set_matrix", "\(source) to \(format)")
    }
    unsafe try check(swr_init(converter), "swr_init", "\(source) to \(format)")
  }

  /// Takes out what the filters hold back: as many samples come out as the source has at this rate.
  private func drain() throws(FFmpegError) {
    guard unsafe converter != nil, let source else { return }
    let (from, to) = (max(source.sampleRate, 1), format.sampleRate)
    let whole = from == to ? nil : Int((Double(taken) * Double(to) / Double(from)).rounded())
    // Sound that is shorter than the filters never gets through them by itself.
    if let whole, whole > 0, taken < Self.shortest * max(1, from / to) {
      for _ in 0..<Self.shortest where given < whole {
        try queueSilence(count: Self.shortest, atMost: whole - given)
      }
    }
    try unsafe queueConverted(nil, count: 0, atMost: whole.map { max(0, $0 - given) })
    (taken, given) = (0, 0)
  }

  /// Samples that are enough for the filters to begin, which are of 32 where the rate does not sink.
  private static let shortest = 256

  private func queueSilence(count: Int, atMost limit: Int) throws(FFmpegError) {
    guard let source, let format = source.audioFormat else { return }
    let silence = try Frame.emptySamples(count: count, format: format)
    let raw = unsafe silence.pointer
    unsafe try check(
      av_samples_set_silence(
        raw.pointee.extended_data, 0, Int32(count), Int32(silence.channels),
        format.sampleFormat.code), "av_samples_set_silence", "resampler")
    let planes = unsafe UnsafeMutableRawPointer(raw.pointee.extended_data)
      .assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
    try unsafe queueConverted(planes, count: Int32(count), atMost: limit)
  }

  private func queueConverted(
    _ planes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int32, atMost limit: Int? = nil
  ) throws(FFmpegError) {
    let room = unsafe try check(
      swr_get_out_samples(converter, count), "swr_get_out_samples", "resampler")
    guard room > 0 else { return }
    let frame = try Frame.emptySamples(count: Int(room), format: format)
    let converted = unsafe try check(
      swr_convert(converter, frame.pointer.pointee.extended_data, room, planes, count),
      "swr_convert", "resampler")
    let kept = Int32(clamping: min(Int(converted), limit ?? .max))
    given += Int(kept)
    unsafe try check(
      av_audio_fifo_write(queue, frame.pointer.voidPlanes, kept), "av_audio_fifo_write",
      "resampler")
  }
}

extension UnsafeMutablePointer<AVFrame> {
  /// The planes as the queue's functions take them.
  fileprivate var voidPlanes: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    // Both are arrays of data pointers; only the pointee's type differs.
    unsafe UnsafeMutableRawPointer(pointee.extended_data)
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
