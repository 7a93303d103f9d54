import AudioCache
import Digests
import Platform

/// A store and a place for outputs in a directory of the test's own, removed at its end.
final class StoreFixture {
  let directory: String
  let store: AudioStore

  /// Makes the directory below `base`.
  init(in base: String = "/tmp") throws {
    directory = "\(base)/keymill-\(UInt64.random(in: .min ... .max))"
    try Files.makeDirectory(directory + "/out")
    store = AudioStore(root: directory + "/cache")
  }

  deinit { try? Files.removeTree(directory) }

  /// Writes an output of the test and returns its path.
  func output(_ name: String, _ content: String) throws -> String {
    let path = "\(directory)/out/\(name)"
    try AtomicFile.write(content, to: path)
    return path
  }

  /// The names in the store's directory of files on their way in.
  var incoming: [String] {
    get throws { try Files.list(store.root + "/incoming") }
  }
}

/// What a file holds, as text.
func content(of path: String) throws -> String {
  String(decoding: try Files.read(path), as: UTF8.self)
}

/// The digest of a text's UTF-8.
func digest(of text: String) -> SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

/// Writes over a file of the store as a failing disk would, past its permissions.
func damage(_ path: String, with content: String) throws {
  try Files.setPermissions(path, 0o644)
  try FileDescriptor.open(path, .write).writeAll(content)
  try Files.setPermissions(path, 0o444)
}
