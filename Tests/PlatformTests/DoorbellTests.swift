import Platform
import TestSupport
import Testing

@Suite("Doorbell", .temporaryDirectory, .timeLimit(.minutes(10)))
struct DoorbellTests {
  private var bell: Doorbell { Doorbell(besideQueue: path("queue.db")) }

  @Test func `a ring wakes the listener once`() throws {
    let listener = try bell.listen()
    let loop = try EventLoop()
    var rings = 0
    try loop.add(listener.descriptor) { _ in
      if try listener.drain() { rings += 1 }
    }
    #expect(try !loop.runOnce(timeout: .zero))
    try bell.ring()
    try bell.ring()
    #expect(try loop.runOnce())
    #expect(try !loop.runOnce(timeout: .zero))
    #expect(rings == 1)
  }

  @Test func `ringing never blocks, however often and with nobody listening`() throws {
    try bell.ring()
    let listener = try bell.listen()
    #expect(try !listener.drain())
    for _ in 0..<70_000 { try bell.ring() }
    #expect(try listener.drain())
    #expect(try !listener.drain())
  }

  @Test func `the FIFO is its owner's alone`() throws {
    _ = try bell.listen()
    let status = try FileStatus(path("queue.db-bell"))
    #expect(status.kind == .fifo)
    #expect(status.permissions == 0o600)
  }

  @Test func `a file in the FIFO's place is refused and left alone`() throws {
    try makeFile("queue.db-bell", "mine")
    let error = #expect(throws: PlatformError.self) { try bell.ring() }
    #expect(error?.code == .exists)
    #expect(throws: PlatformError.self) { try bell.listen() }
    #expect(try text(path("queue.db-bell")) == "mine")
  }

  @Test func `a listener notices that its FIFO was replaced`() throws {
    let listener = try bell.listen()
    #expect(listener.isConnected)
    try Files.removeFile(bell.path)
    #expect(!listener.isConnected)
    try bell.ring()
    #expect(!listener.isConnected)
    #expect(try !listener.drain())
  }
}
