import Commands
import Glibc
import Platform

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
}

/// Takes the bytes of a track, one piece after the other.
final class TrackTarget: Sendable {
  /// What messages call it.
  private let name: String
  private let isStandardOutput: Bool
  // Owned: closed in `deinit`, and by nobody else.
  private let number: Int32

  /// Opens the place.
  init(_ place: TrackPlace) throws {
    isStandardOutput = if case .standardOutput = place { true } else { false }
    switch place {
    case .standardOutput:
      name = "standard output"
      number = STDOUT_FILENO
    case .stream(let path):
      name = path
      number = try TargetError.about(path) { () throws(PlatformError) in
        try FileDescriptor.open(path, .write).release()
      }
    case .file(let path):
      name = path
      // A file of its own: the one that is there may share its bytes with the cache.
      number = try TargetError.about(path) { () throws(PlatformError) in
        try Files.removeFile(path)
        return try FileDescriptor.open(path, .create).release()
      }
    }
  }

  deinit {
    // Standard output is nobody's to close.
    if !isStandardOutput { _ = FileDescriptor(owning: number) }
  }

  /// Writes the next bytes; waits for whoever reads them.
  ///
  /// - Throws: `ReaderGone`, or `TargetError`.
  func write(_ bytes: [UInt8]) throws {
    let file = FileDescriptor(owning: number)
    let result = Result { () throws(PlatformError) in try file.writeAll(bytes) }
    _ = file.release()
    if case .failure(let error) = result, error.code == .brokenPipe { throw ReaderGone() }
    try TargetError.about(name) { () throws(PlatformError) in try result.get() }
  }
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
