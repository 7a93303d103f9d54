import Glibc
import Platform
import TestSupport
import Testing

@Suite(.temporaryDirectory)
struct `Writers of a file` {
  @Test func `a file that nobody has open has none`() throws {
    #expect(try Files.writers(of: makeFile("file")) == .none)
  }

  @Test func `a file has some until the last writer closes it`() throws {
    let name = try makeFile("file")
    do {
      let writer = try FileDescriptor.open(name, .append)
      let second = try writer.duplicate()
      try writer.close()
      #expect(try Files.writers(of: name) == .some)
      try second.close()
    }
    #expect(try Files.writers(of: name) == .none)
  }

  @Test func `readers do not count`() throws {
    let name = try makeFile("file")
    let reader = try FileDescriptor.open(name, .read)
    #expect(try Files.writers(of: name) == .none)
    try reader.close()
  }

  @Test func `a file mapped for writing has some after the close`() throws {
    let name = try makeFile("file")
    let descriptor = unsafe open(name, O_RDWR)
    let bytes = unsafe mmap(nil, 7, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    try #require(unsafe bytes != MAP_FAILED)
    try FileDescriptor(owning: descriptor).close()
    #expect(try Files.writers(of: name) == .some)
    unsafe munmap(bytes, 7)
    #expect(try Files.writers(of: name) == .none)
  }

  @Test func `asking does not keep a writer from opening`() throws {
    let name = try makeFile("file")
    #expect(try Files.writers(of: name) == .none)
    let writer = try FileDescriptor.open(name, .append)
    try writer.close()
  }

  @Test func `a file that is not there is an error`() {
    #expect(throws: PlatformError.self) { try Files.writers(of: path("none")) }
  }
}
