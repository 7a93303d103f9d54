import Platform
import TestSupport
import Testing

@Suite("FileDescriptor", .temporaryDirectory)
struct FileDescriptorTests {
  @Test func `a document in memory is read from its start, however long it is`() throws {
    let text = String(repeating: "0123456789", count: 100_000)
    let document = try FileDescriptor.holding(Array(text.utf8))
    #expect(String(decoding: try document.readToEnd(), as: UTF8.self) == text)
  }

  @Test func `a descriptor is closed when its owner goes`() throws {
    let pipe = try Pipe()
    let reader = pipe.reader
    do {
      let copy = try pipe.writer.duplicate()
      try copy.writeAll("x")
    }
    try pipe.writer.close()
    #expect(try reader.read() == .bytes([120]))
    #expect(try reader.read() == .endOfFile)
  }

  @Test func `a non-blocking read says that nothing is there yet`() throws {
    let pipe = try Pipe()
    try pipe.reader.setNonBlocking()
    #expect(try pipe.reader.read() == .wouldBlock)
  }

  @Test func `a non-blocking write says that there is no room`() throws {
    let pipe = try Pipe()
    try pipe.writer.setNonBlocking()
    let block = [UInt8](repeating: 0, count: 65_536)
    while try pipe.writer.write(block) != nil {}
    let error = #expect(throws: PlatformError.self) { try pipe.writer.writeAll(block) }
    #expect(error?.code == .wouldBlock)
  }

  @Test func `a full disk is known as such`() throws {
    let full = try FileDescriptor.open("/dev/full", .append)
    let error = #expect(throws: PlatformError.self) { try full.writeAll("x") }
    #expect(error?.isNoSpace == true)
  }

  @Test func `creating refuses a file that is there and appending keeps it`() throws {
    try makeFile("file", "old")
    let error = #expect(throws: PlatformError.self) {
      _ = try FileDescriptor.open(path("file"), .create)
    }
    #expect(error?.code == .exists)
    let file = try FileDescriptor.open(path("file"), .append)
    try file.writeAll(" new")
    #expect(try text(path("file")) == "old new")
  }
}
