import Digests

/// One file of an output, as it was read back from the disk.
struct FileRecord: Sendable {
  /// Its path inside the output directory.
  let path: String
  /// Its size in bytes.
  let bytes: Int
  /// The digest of what lies on the disk.
  let sha256: SHA256Digest
  /// For frames and stills: when it is shown, in seconds from the first shown frame.
  var seconds: Double?

  /// The file's entry in the manifest's `files`, on one line.
  var json: String {
    var emitter = JSONEmitter()
    emitter.beginObject(inline: true)
    emitter.string("path", path)
    emitter.integer("bytes", bytes)
    emitter.string("sha256", sha256.hex)
    emitter.number("time", seconds)
    emitter.end()
    return emitter.take().trimmingNewline()
  }
}

extension String {
  /// The text without the line break at its end.
  fileprivate func trimmingNewline() -> String { hasSuffix("\n") ? String(dropLast()) : self }
}
