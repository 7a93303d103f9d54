import Digests
import ImageFiles
import Platform

/// Reads files back from the disk once they are written: what a manifest promises was seen there.
///
/// Pictures are checked by their structure and checksums, not decoded: the checksum was made from the
/// bytes in memory, so a difference on the disk cannot hide.
struct ReadBack: Sendable {
  /// The entry of a file that this job has written in one go, of so many bytes.
  ///
  /// Throws an error of kind `defect` where the disk gives back something else.
  func record(of file: String, name: String, expecting count: Int) throws -> FileRecord {
    let bytes = try Files.read(file)
    guard bytes.count == count else {
      throw MediaError(
        .defect, file, "\(count) bytes were written and \(bytes.count) read back")
    }
    if name.hasSuffix(".png") {
      do throws(ImageFileError) {
        _ = try PNGCheck.check(bytes.span)
      } catch {
        throw MediaError(.defect, file, "does not read back: \(error.reason)")
      }
    }
    return FileRecord(path: name, bytes: count, sha256: SHA256Digest(of: bytes))
  }

  /// The entry of a file of any length that a muxer has written.
  func record(of file: String, name: String) throws -> FileRecord {
    let size = Int(try FileStatus(file).size)
    return FileRecord(path: name, bytes: size, sha256: try SHA256Digest(ofFileAt: file))
  }
}
