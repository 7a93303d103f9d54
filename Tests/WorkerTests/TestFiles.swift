import Glibc
import Platform
import TestSupport
import Testing

/// Writes a file in the running test's directory, with the directories above it.
@discardableResult
func write(_ text: String, to name: String) throws -> String {
  try Files.makeDirectory(Files.parent(of: path(name)))
  try FileDescriptor.open(path(name), .write).writeAll(text)
  return path(name)
}

/// A file of the running test's directory as text.
func text(_ name: String) throws -> String {
  String(decoding: try Files.read(path(name)), as: UTF8.self)
}

/// The names in a directory of the running test's directory, in order.
func names(in name: String) throws -> [String] { try Files.list(path(name)).sorted() }

/// Makes a directory that looks like the output of an input.
func makeOutput(_ name: String, of input: String, _ content: String = "made") throws {
  try write(#"{"input":{"path":"\#(input)"}}"#, to: "\(name)/manifest.json")
  try write(content, to: "\(name)/made")
}

/// Makes a FIFO, on which a script and a test can wait for each other.
func makeFIFO(_ name: String) throws {
  try #require(unsafe mkfifo(path(name), 0o600) == 0)
}

/// Makes a FIFO and opens its reading end, which tells when the last writer is gone.
func openFIFO(_ name: String) throws -> FileDescriptor {
  try makeFIFO(name)
  // Not to wait for the first writer; reading waits for the last.
  let descriptor = unsafe open(path(name), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  try #require(descriptor >= 0)
  _ = fcntl(descriptor, F_SETFL, 0)
  return FileDescriptor(owning: descriptor)
}
