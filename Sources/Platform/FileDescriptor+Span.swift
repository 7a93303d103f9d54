import CLinux

extension FileDescriptor {
  /// Writes all bytes of a blocking descriptor.
  public func writeAll(_ bytes: Span<UInt8>) throws(PlatformError) {
    // Safe: bytes are bytes; there is no padding between or in them.
    try writeAll(unsafe bytes.bytes)
  }

  /// Has the kernel begin to store what was written, without waiting for it, so that a later sync of many
  /// files finds little left to do.
  ///
  /// Wraps `sync_file_range`. It is advice: where it fails, that sync does it all.
  public func startStoring() { _ = km_start_storing(rawValue) }
}
