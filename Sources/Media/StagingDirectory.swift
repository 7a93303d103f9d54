import Digests
import ImageFiles
import Imaging
import Platform
import Synchronization

/// Where a job makes its output: a directory of its own beside the place where it will be published.
///
/// Every file is read back once it is written, and its digest is that of what the disk gave back.
/// Safe to use from the threads of a job.
final class StagingDirectory: Sendable {
  /// The directory's path.
  let path: String
  /// The list of files made so far.
  let ledger: FileLedger
  private let made = Mutex<Set<String>>([])

  /// Makes the directory, which must not be there yet; its parents are made as needed.
  static func make(at path: String) throws(MediaError) {
    try explaining(path) { () throws(PlatformError) in
      try Files.makeDirectory(Files.parent(of: path))
      try Files.makeNewDirectory(path)
    }
  }

  /// Begins to use a directory that was made for this job, and is empty.
  init(at path: String) throws(MediaError) {
    self.path = path
    ledger = try Self.explaining(path) { () throws(PlatformError) in try FileLedger(in: path) }
  }

  private static func explaining<R>(
    _ path: String, _ body: () throws(PlatformError) -> R
  ) throws(MediaError) -> R {
    do throws(PlatformError) {
      return try body()
    } catch {
      // Not the staging directory's own name, which means nothing to whoever named the place.
      let kind = MediaError(error).kind
      throw MediaError(kind, Files.parent(of: path), "no output can be made here: \(error.code)")
    }
  }

  /// The full path of a file inside, whose directory is made if need be.
  func file(_ name: String) throws -> String {
    if let slash = name.lastIndex(of: "/") {
      let directory = String(name[..<slash])
      try made.withLock {
        guard $0.insert(directory).inserted else { return }
        try Files.makeDirectory("\(path)/\(directory)")
      }
    }
    return "\(path)/\(name)"
  }

  /// Writes a file in one go and reads it back.
  func write(_ name: String, _ bytes: Span<UInt8>, check: ReadBack) throws -> FileRecord {
    let file = try file(name)
    do throws(PlatformError) {
      let descriptor = try FileDescriptor.open(file, .create)
      try descriptor.writeAll(bytes)
      descriptor.startStoring()
      try descriptor.close()
    } catch {
      // A descriptor's number helps nobody.
      throw PlatformError(code: error.code, call: error.call, subject: file)
    }
    return try check.record(of: file, name: name, expecting: bytes)
  }

  /// Writes a picture as PNG, made for size, and reads it back.
  func writePNG(_ name: String, _ image: RGBAImage, check: ReadBack) throws -> FileRecord {
    var encoder = try PNGEncoder(compression: .small(level: 6))
    encoder.begin(size: image.size, color: .rgba, isSRGB: true)
    let pixels = image.pixels.span
    try encoder.write(rows: pixels)
    try encoder.finish()
    return try write(name, encoder.bytes, check: check)
  }

  /// Syncs all files to the disk, so that a manifest never promises what a power cut takes back.
  func sync() throws(PlatformError) {
    // One call for the whole file system: a frame's worth of fsyncs each would cost more than keying.
    try Files.syncFileSystem(containing: path)
  }
}
