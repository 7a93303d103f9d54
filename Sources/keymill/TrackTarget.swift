import Commands
import Glibc
import Platform
import Synchronization

/// Where the bytes of a track go, as the option `-o` says.
enum TrackPlace {
  /// Standard output.
  case standardOutput
  /// A file, which is replaced if it is there.
  case file(String)
  /// A device or a pipe, which is written into and never replaced.
  case stream(String)

  /// Reads the option.
  ///
  /// - Throws: `UsageError` for no name, `TargetError` where no file can be.
  init(_ name: String) throws {
    guard name != "-" else {
      self = .standardOutput
      return
    }
    guard !name.isEmpty else {
      throw UsageError("-o needs the name of a file, or - for standard output")
    }
    switch (try? FileStatus(name))?.kind {
    case .file: self = .file(name)
    case .directory: throw TargetError("\(name): is a directory; name the file in it")
    case nil:
      let directory = Files.parent(of: name)
      guard !name.hasSuffix("/"), (try? FileStatus(directory))?.kind == .directory else {
        throw TargetError("\(name): there is no directory \(directory); make it first")
      }
      self = .file(name)
    default: self = .stream(name)
    }
  }

  /// Makes sure that a file is not to be made in the cache itself, where it would be in the way of what
  /// is kept there.
  ///
  /// - Throws: `UsageError`.
  func refuse(inside root: String) throws {
    guard case .file(let path) = self, let store = try? FileStatus(root) else { return }
    // By what the directories are, whatever links lead to them.
    var directory = try Files.absolutePath(Files.parent(of: path))
    while true {
      if let status = try? FileStatus(directory), status.isSameFile(as: store) {
        throw UsageError("-o \(path): is inside of the cache; name a file elsewhere")
      }
      guard Files.parent(of: directory) != directory else { return }
      directory = Files.parent(of: directory)
    }
  }
}

/// Takes the bytes of a track, one piece after the other.
///
/// The place is opened when there is something to write. A file that is there already stays until all is
/// written: the track grows beside it, under its name with `.part` behind, and then takes its place in
/// one step.
final class TrackTarget: Sendable {
  private let place: TrackPlace
  private let state = Mutex(State.untouched)

  private enum State {
    case untouched
    // Closed in `deinit`, and by nobody else, unless it is standard output. The path is that of the file
    // that grows, where it is one.
    case open(Int32, growing: String?)
    case discarded
  }

  /// Will write to a place.
  init(_ place: TrackPlace) { self.place = place }

  deinit {
    state.withLock { state in
      guard case .open(let number, _) = state, number != STDOUT_FILENO else { return }
      _ = FileDescriptor(owning: number)
    }
  }

  /// Writes the next bytes; waits for whoever reads them.
  ///
  /// - Throws: `ReaderGone`, also once it was discarded, or `TargetError`.
  func write(_ bytes: [UInt8]) throws {
    // Not under the lock: a pipe may keep it waiting for as long as its reader likes.
    let file = FileDescriptor(owning: try open())
    let result = Result { () throws(PlatformError) in try file.writeAll(bytes) }
    _ = file.release()
    if case .failure(let error) = result, error.code == .brokenPipe { throw ReaderGone() }
    try TargetError.about(name) { () throws(PlatformError) in try result.get() }
  }

  /// Puts the file in its place, now that all is written; there is one even where the track has no bytes.
  func finish() throws {
    _ = try open()
    guard case .file(let path) = place,
      case .open(_, let growing?) = state.withLock({ $0 }), growing != path
    else { return }
    try TargetError.about(path) { () throws(PlatformError) in
      try Files.rename(growing, to: path)
    }
  }

  /// Removes a file of which only a part was written; from now on nothing can be written.
  func discard() {
    state.withLock { state in
      guard case .file = place else { return }
      if case .open(_, let growing) = state {
        // It stays open: a write to it may be going on.
        if let growing { try? Files.removeFile(growing) }
      } else {
        state = .discarded
      }
    }
  }

  /// What messages call it.
  private var name: String {
    switch place {
    case .standardOutput: "standard output"
    case .file(let path), .stream(let path): path
    }
  }

  private func open() throws -> Int32 {
    try state.withLock { state in
      switch state {
      case .open(let number, _): return number
      case .discarded: throw ReaderGone()
      case .untouched:
        let (number, growing) = try TargetError.about(name) { () throws(PlatformError) in
          switch place {
          case .standardOutput: return (STDOUT_FILENO, nil as String?)
          case .stream(let path): return (try FileDescriptor.open(path, .write).release(), nil)
          case .file(let path): return try Self.create(path)
          }
        }
        state = .open(number, growing: growing)
        return number
      }
    }
  }

  /// Creates a file, or beside one that is there another, whose name no file has.
  private static func create(_ path: String) throws(PlatformError) -> (Int32, String?) {
    var growing = path
    var count = 0
    while true {
      do throws(PlatformError) {
        return (try FileDescriptor.open(growing, .create).release(), growing)
      } catch {
        guard error.code == .exists, count < mostParts else { throw error }
      }
      count += 1
      growing = count == 1 ? path + ".part" : "\(path).part-\(count)"
    }
  }

  /// How many files that were never finished may lie beside another.
  private static let mostParts = 100
}

/// Whoever read what we wrote has had enough, as `head` has; that is no error of anybody's.
struct ReaderGone: Error {}

/// A file that cannot be written.
struct TargetError: Error, CustomStringConvertible {
  /// What is wrong, the file first, and what to do.
  let description: String

  init(_ description: String) { self.description = description }

  /// Runs a call on the file `name`, with its error as one about that.
  static func about<R>(_ name: String, _ body: () throws(PlatformError) -> R) throws(TargetError)
    -> R
  {
    do throws(PlatformError) {
      return try body()
    } catch {
      throw TargetError(name, error)
    }
  }

  /// A failed call on the file `name`.
  init(_ name: String, _ error: PlatformError) {
    let advice =
      error.isNoSpace
      ? "; free some and try again" : error.isPermission ? "; name another with -o" : ""
    self.init("\(name): cannot be written: \(error.code)\(advice)")
  }
}
