internal import Platform

/// A name in the watched directory; equal to another when the bytes are.
///
/// As Swift strings, `é` written as one or as two scalars would be the same; as files they are two.
struct FileName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: FileName, b: FileName) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// One content of a file: another inode, size or time of change is another version.
struct FileVersion: Hashable {
  let inode: UInt64
  let size: Int64
  let modifiedNanoseconds: Int64

  init(_ status: FileStatus) {
    inode = status.inode
    size = status.size
    modifiedNanoseconds = status.modifiedNanoseconds
  }

  /// Names the request to make this version of the file at `path` by a recipe.
  ///
  /// The device is left out, since its number may change when the machine starts.
  func requestID(path: String, recipeDigest: String) -> String {
    "watch \(recipeDigest) \(inode) \(size) \(modifiedNanoseconds) \(path)"
  }
}

/// What a watcher knows of one name.
struct Arrival {
  enum Phase {
    /// Nothing is to be done before something happens to it.
    case resting
    /// Looked at again when the timer goes off.
    case settling(EventLoop.Timer)
    /// Stood still long enough; in the line of those to be examined.
    case ready
  }

  var phase = Phase.resting
  /// As last seen.
  var version: FileVersion?
  /// As it became a job.
  var submitted: FileVersion?
  /// Whether it was seen coming into being, and not yet being closed.
  var awaitsClose = false
  /// What was said of it last, so that it is said once.
  var told: WatchNotice?

  var isPending: Bool {
    if case .resting = phase { false } else { true }
  }
}
