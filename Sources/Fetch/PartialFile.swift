import FoundationEssentials
import Glibc
import Platform

/// The file that a download grows in, with a note beside it of what it is the beginning of.
///
/// Belongs to one process at a time, by a lock that ends with the process. Only grows: other content is
/// another file under the same name. After a loss of power the bytes are not believed: the note names
/// the boot in which it was written.
final class PartialFile {
  private struct Note: Codable {
    let url: String
    let bootID: String
    let representation: Representation
  }

  /// How many bytes there are.
  private(set) var length: Int64 = 0
  /// What they are the beginning of; `nil` where that is not known, and they are of no use.
  private(set) var kept: Representation?
  private let request: FetchRequest
  /// The URL as in the note and in messages.
  private let url: String
  private var file: FileDescriptor

  /// Where the file is.
  var path: String { request.partialPath }
  private var notePath: String { path + ".json" }

  /// Opens what there is, or an empty file.
  /// - Throws: `busy` where another process has it; `file`, `noSpace`.
  init(_ request: FetchRequest, url: String) throws(FetchError) {
    self.request = request
    self.url = url
    file = try onDisk(url) { () throws(PlatformError) in
      try FileDescriptor.open(request.partialPath, .append)
    }
    try lock(file)
    length = try onDisk(url) { () throws(PlatformError) in
      try FileStatus(descriptor: file.rawValue).size
    }
    kept = length > 0 ? note()?.representation : nil
  }

  /// Takes the file for this process, if it is still the one of this name.
  private func lock(_ file: borrowing FileDescriptor) throws(FetchError) {
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0,
      let own = try? FileStatus(descriptor: file.rawValue),
      let named = try? FileStatus(path, followingLinks: false), own.isSameFile(as: named)
    else {
      throw FetchError(.busy, url: url, "another process is fetching it into \(path)")
    }
  }

  private func note() -> Note? {
    guard let bytes = try? Files.read(notePath),
      let note = try? JSONDecoder().decode(Note.self, from: Data(bytes)),
      note.url == url, let boot = try? Host.bootID, note.bootID == boot
    else { return nil }
    return note
  }
}

extension PartialFile {
  /// Begins with no bytes of something else.
  func begin(_ representation: Representation) throws(FetchError) {
    if length > 0 { try replace() }
    kept = representation
    try onDisk(url) { () throws(PlatformError) in
      let note = Note(url: url, bootID: try Host.bootID, representation: representation)
      // Cut short by the end of this process, it is no JSON and counts as none.
      guard let bytes = try? JSONEncoder().encode(note) else { return }
      try FileDescriptor.open(notePath, .write).writeAll(Array(bytes))
    }
  }

  /// Puts an empty file in place of this one, which whoever reads it keeps.
  private func replace() throws(FetchError) {
    let new = path + ".new"
    try onDisk(url) { () throws(PlatformError) in
      // The note goes first: it must never stand beside bytes that it does not speak of.
      try Files.removeFile(notePath)
      try Files.removeFile(new)
      let empty = try FileDescriptor.open(new, .create)
      // Nobody else knows of it yet.
      _ = flock(empty.rawValue, LOCK_EX | LOCK_NB)
      try Files.rename(new, to: path)
      file = empty
    }
    length = 0
  }

  /// Adds bytes at the end.
  func append(_ bytes: RawSpan) throws(FetchError) {
    do throws(PlatformError) {
      try file.writeAll(bytes)
    } catch {
      throw diskError(error, url)
    }
    length += Int64(bytes.byteCount)
  }

  /// Notes the size, which a server did not tell before.
  func learn(total: Int64) { kept?.total = total }

  /// Takes the bytes for the beginning of something that is no more; they stay until something else
  /// comes.
  func forget() { kept = nil }

  /// Puts the bytes, which are all, on the disk, and gives them the file's own name.
  func finish() throws(FetchError) {
    try onDisk(url) { () throws(PlatformError) in
      try Files.syncFile(path)
      try Files.rename(path, to: request.path)
      try Files.removeFile(notePath)
      try Files.syncDirectory(request.directory)
    }
  }

  /// Removes the bytes, which are of no use to anybody.
  func discard() {
    // What is left over is overwritten by the next request of this name.
    try? Files.removeFile(path)
    try? Files.removeFile(notePath)
  }
}

/// Runs a call of the platform, with its error as one about the file of a URL.
private func onDisk<R: ~Copyable>(
  _ url: String, _ body: () throws(PlatformError) -> R
) throws(FetchError) -> R {
  do throws(PlatformError) {
    return try body()
  } catch {
    throw diskError(error, url)
  }
}

private func diskError(_ error: PlatformError, _ url: String) -> FetchError {
  guard error.isNoSpace else { return FetchError(.file, url: url, "\(error)") }
  return FetchError(.noSpace, url: url, "\(error); make room and try again")
}
