import Glibc
import Platform
import TestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct PacketSocketTests {
  private struct End: Error {}

  /// Whether nothing comes any more.
  private func isAtEnd(_ socket: borrowing PacketSocket) throws -> Bool {
    guard let packet = try socket.receive() else { return true }
    return packet.bytes.isEmpty
  }

  private func sendAndClose(_ socket: consuming PacketSocket) throws { try socket.send([1]) }

  @Test func `packets arrive whole and in order`() throws {
    let pair = try PacketSocketPair()
    try pair.ours.send([1, 2, 3])
    try pair.ours.send([4])
    #expect(try pair.theirs.receive()?.bytes == [1, 2, 3])
    #expect(try pair.theirs.receive()?.bytes == [4])
  }

  @Test func `descriptors go along, and are closed with the packet`() throws {
    let pair = try PacketSocketPair()
    let pipe = try Pipe()
    try pair.ours.send([0], descriptors: [pipe.writer.rawValue, pipe.reader.rawValue])
    do {
      guard let packet = try pair.theirs.receive() else { throw End() }
      #expect(packet.descriptors.count == 2)
      #expect(unsafe write(packet.descriptors[0], "x", 1) == 1)
      #expect(fcntl(packet.descriptors[0], F_GETFD, 0) == FD_CLOEXEC)
    }
    try pipe.writer.close()
    // The end comes only when the copy is closed too.
    #expect(try pipe.reader.readToEnd() == [UInt8(ascii: "x")])
  }

  @Test func `what was sent before the end still arrives, even from one that has died unread`()
    throws
  {
    let pair = try PacketSocketPair()
    let ours = pair.ours
    try ours.send([9])
    try sendAndClose(pair.theirs)
    #expect(try ours.receive()?.bytes == [1])
    #expect(try isAtEnd(ours))
    #expect { try ours.send([2]) } throws: { ($0 as? PlatformError)?.code == .brokenPipe }
  }

  @Test func `who refuses more still gets what was sent before`() throws {
    let pair = try PacketSocketPair()
    try pair.theirs.send([1])
    pair.ours.refuseMore()
    #expect { try pair.theirs.send([2]) } throws: { ($0 as? PlatformError)?.code == .brokenPipe }
    #expect(try pair.ours.receive()?.bytes == [1])
    #expect(try isAtEnd(pair.ours))
  }

  @Test func `a non-blocking socket says that there is nothing`() throws {
    let pair = try PacketSocketPair()
    try pair.ours.setNonBlocking()
    #expect { _ = try pair.ours.receive() } throws: {
      ($0 as? PlatformError)?.code == .wouldBlock
    }
  }
}
