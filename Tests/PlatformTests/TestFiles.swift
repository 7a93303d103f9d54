import Glibc
import Platform
import TestSupport
import Testing

/// Makes a file with this content in the running test's directory.
@discardableResult
func makeFile(_ name: String, _ text: String = "content") throws -> String {
  let file = try FileDescriptor.open(path(name), .write)
  try file.writeAll(text)
  return path(name)
}

/// Makes a symbolic link.
func makeLink(_ path: String, to target: String) throws {
  try #require(unsafe symlink(target, path) == 0)
}

/// A file's content as text.
func text(_ path: String) throws -> String {
  String(decoding: try Files.read(path), as: UTF8.self)
}

/// A directory on another file system than the tests' own, where the machine has one.
let otherFileSystem: String? = {
  guard let shared = try? FileStatus("/dev/shm"), let own = try? FileStatus("/tmp"),
    shared.kind == .directory, shared.device != own.device, unsafe access("/dev/shm", W_OK) == 0
  else { return nil }
  return "/dev/shm"
}()
