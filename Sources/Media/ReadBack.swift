import Digests
import Glibc
import ImageFiles
import Platform

/// Reads files back from the disk once they are written: what a manifest promises was seen there.
///
/// What was made in memory is compared with that, and digested as it comes, so that no second copy of a
/// picture is held. Pictures are checked by their structure and checksums besides, not decoded.
struct ReadBack: Sendable {
  /// The entry of a file that this job has written in one go, of these bytes.
  ///
  /// Throws an error of kind `defect` where the disk gives back something else.
  func record(of file: String, name: String, expecting bytes: Span<UInt8>) throws -> FileRecord {
    let digest = try digest(of: file, expecting: bytes)
    if name.hasSuffix(".png") {
      do throws(ImageFileError) {
        _ = try PNGCheck.check(bytes)
      } catch {
        throw MediaError(.defect, file, "does not read back: \(error.reason)")
      }
    }
    return FileRecord(path: name, bytes: bytes.count, sha256: digest)
  }

  private func digest(of file: String, expecting bytes: Span<UInt8>) throws -> SHA256Digest {
    let descriptor = try FileDescriptor.open(file, .read)
    var hasher = SHA256Hasher()
    var count = 0
    while let part = try part(of: descriptor, file) {
      let end = count + part.count
      guard end <= bytes.count, isEqual(part.span, bytes.extracting(count..<end)) else {
        throw MediaError(.defect, file, "other bytes are read back than were written")
      }
      hasher.update(part)
      count = end
    }
    guard count == bytes.count else {
      throw MediaError(.defect, file, "\(bytes.count) bytes were written and \(count) read back")
    }
    return hasher.finish()
  }

  private func part(
    of descriptor: borrowing FileDescriptor, _ file: String
  ) throws(PlatformError) -> [UInt8]? {
    do throws(PlatformError) {
      guard case .bytes(let part) = try descriptor.read() else { return nil }
      return part
    } catch {
      // A descriptor's number helps nobody.
      throw PlatformError(code: error.code, call: error.call, subject: file)
    }
  }

  /// The entry of a file of any length that a muxer has written.
  func record(of file: String, name: String) throws -> FileRecord {
    let size = Int(try FileStatus(file).size)
    return FileRecord(path: name, bytes: size, sha256: try SHA256Digest(ofFileAt: file))
  }
}

/// Whether two spans of one length have the same bytes.
private func isEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  // Safe: as many bytes are read of either as it has.
  unsafe a.withUnsafeBytes { a in
    unsafe b.withUnsafeBytes { b in
      guard let first = a.baseAddress, let second = b.baseAddress else { return true }
      return unsafe memcmp(first, second, min(a.count, b.count)) == 0
    }
  }
}
