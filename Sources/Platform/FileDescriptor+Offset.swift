internal import Glibc

extension FileDescriptor {
  /// Writes all of some bytes over what is at an offset, and leaves the position as it is.
  ///
  /// Wraps `pwrite`.
  public func writeAll(_ bytes: [UInt8], at offset: Int64) throws(PlatformError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let place = Int(offset) + bytes.count - rest.count
      let written = try check("pwrite", "descriptor \(rawValue)") {
        // The kernel only reads, and only within the array.
        unsafe rest.withUnsafeBytes { unsafe pwrite(rawValue, $0.baseAddress, $0.count, place) }
      }
      rest = rest.dropFirst(written)
    }
  }
}
