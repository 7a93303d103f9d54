internal import CFFmpeg

extension Packet {
  /// Takes over the data of another packet, which is left empty.
  ///
  /// Wraps `av_packet_move_ref`.
  public func take(from other: Packet) {
    clear()
    unsafe av_packet_move_ref(pointer, other.pointer)
  }

  /// Leaves out the first bytes of the data.
  ///
  /// - Precondition: The packet has them.
  public func dropFirst(_ count: Int) {
    precondition(count >= 0 && count <= size, "bytes of the packet")
    // The data stays its buffer's, which is freed by its own pointer.
    unsafe pointer.pointee.data += count
    unsafe pointer.pointee.size -= Int32(count)
  }

  /// Sets when it is decoded and shown, and how long, in ticks.
  public func setTime(_ pts: Int64, duration: Int64) {
    unsafe pointer.pointee.pts = pts
    unsafe pointer.pointee.dts = pts
    unsafe pointer.pointee.duration = duration
  }

  /// Says what to leave out of the sound, in place of all that was said of the packet beside its data.
  ///
  /// Wraps `av_packet_new_side_data`.
  public func setPadding(_ padding: SamplePadding) throws(FFmpegError) {
    unsafe av_packet_free_side_data(pointer)
    guard padding != SamplePadding() else { return }
    // Two counts and two bytes of reasons.
    let size = 10
    let data = try unsafe allocated(
      av_packet_new_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, size), "av_packet_new_side_data")
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: data, count: size)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
    let (leading, trailing) = (
      UInt32(clamping: padding.leading), UInt32(clamping: padding.trailing)
    )
    unsafe bytes.storeBytes(of: leading.littleEndian, as: UInt32.self)
    unsafe bytes.storeBytes(of: trailing.littleEndian, toByteOffset: 4, as: UInt32.self)
  }
}
