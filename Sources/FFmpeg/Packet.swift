internal import CFFmpeg

/// A piece of compressed data of one stream; one object serves for a whole file.
///
/// Times are ticks of the time base of the stream (or encoder) that the packet comes from.
@safe public final class Packet {
  // Owned: allocated in `init`, freed in `deinit`, never null in between.
  let pointer: UnsafeMutablePointer<AVPacket>

  /// Creates an empty packet.
  ///
  /// Wraps `av_packet_alloc`.
  public init() throws(FFmpegError) {
    unsafe pointer = try allocated(av_packet_alloc(), "av_packet_alloc")
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = unsafe pointer
    unsafe av_packet_free(&pointer)
  }

  /// Gives the data back and makes the packet empty.
  ///
  /// Wraps `av_packet_unref`.
  public func clear() {
    unsafe av_packet_unref(pointer)
  }

  /// The index of its stream in the container.
  public var streamIndex: Int { unsafe Int(pointer.pointee.stream_index) }

  /// When it is shown, in ticks.
  public var pts: Int64? { unsafe knownTicks(pointer.pointee.pts) }

  /// When it is decoded, in ticks.
  public var dts: Int64? { unsafe knownTicks(pointer.pointee.dts) }

  /// How long it is shown, in ticks; nil where the container does not say.
  public var duration: Int64? {
    let duration = unsafe pointer.pointee.duration
    return duration > 0 ? duration : nil
  }

  /// Bytes of data.
  public var size: Int { unsafe Int(pointer.pointee.size) }

  /// Whether decoding can start here.
  public var isKeyFrame: Bool { has(AV_PKT_FLAG_KEY) }

  /// Whether the demuxer knows the data to be damaged.
  public var isCorrupt: Bool { has(AV_PKT_FLAG_CORRUPT) }

  /// Whether it is decoded only for others to refer to, and not shown (edit lists).
  public var isDiscard: Bool { has(AV_PKT_FLAG_DISCARD) }

  /// What the container says to leave out of the sound that it decodes to.
  ///
  /// Reads `AV_PKT_DATA_SKIP_SAMPLES`.
  public var padding: SamplePadding {
    var size = 0
    let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size)
    // The side data holds `size` bytes for as long as the packet has it.
    guard let data = unsafe data, size >= 8 else { return SamplePadding() }
    return unsafe SamplePadding(UnsafeRawBufferPointer(start: data, count: 8))
  }

  /// Lends the data; the span ends with the call.
  public func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    // `data` holds `size` bytes for as long as the packet keeps its reference, which is this one.
    let bytes = unsafe UnsafeBufferPointer(
      start: UnsafePointer(pointer.pointee.data), count: size)
    return try body(unsafe bytes.span)
  }

  private func has(_ flag: Int32) -> Bool {
    unsafe pointer.pointee.flags & flag != 0
  }
}
