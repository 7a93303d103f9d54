extension FileDescriptor {
  /// Writes all bytes of a blocking descriptor.
  public func writeAll(_ bytes: Span<UInt8>) throws(PlatformError) {
    // Safe: bytes are bytes; there is no padding between or in them.
    try writeAll(unsafe bytes.bytes)
  }
}
