import CLinux
import Glibc

/// One end of a connection that carries packets, each with copies of descriptors if need be.
///
/// Packets arrive whole and in order, and those sent before the other end was closed still arrive.
public struct PacketSocket: ~Copyable {
  private let handle: FileDescriptor

  /// The descriptor's number, valid as long as the socket lives.
  public var rawValue: Int32 { handle.rawValue }

  /// Takes over an end that this process was started with.
  public init(owning handle: consuming FileDescriptor) { self.handle = handle }

  /// Sends a packet in which copies of `descriptors`, at most four, go along.
  ///
  /// Blocks while the other end has too many unread, unless ``setNonBlocking()`` was called.
  ///
  /// Wraps `sendmsg`.
  /// - Throws: `brokenPipe` or `connectionReset` when the other end is closed.
  public func send(_ bytes: [UInt8], descriptors: [Int32] = []) throws(PlatformError) {
    // Both arrays live until the call returns, which only reads them.
    try check("sendmsg", "descriptor \(rawValue)") {
      unsafe km_send_packet(rawValue, bytes, bytes.count, descriptors, descriptors.count)
    }
  }

  /// The next packet, of at most 256 bytes; `nil` when the other end is closed and all is read.
  ///
  /// Wraps `recvmsg`.
  /// - Throws: `wouldBlock` from a non-blocking socket that has none.
  public func receive() throws(PlatformError) -> ReceivedPacket? {
    do throws(PlatformError) {
      return try receiveOnce()
    } catch {
      // Told once when the other end died with something unread; what it had sent is still there.
      guard error.code == .connectionReset else { throw error }
      return try receiveOnce()
    }
  }

  private func receiveOnce() throws(PlatformError) -> ReceivedPacket? {
    var bytes = [UInt8](repeating: 0, count: 256)
    var descriptors = [Int32](repeating: -1, count: Int(km_packet_descriptors))
    var descriptorCount = 0
    let capacity = bytes.count
    // The call fills at most what the arrays hold and says how much.
    let count = try check("recvmsg", "descriptor \(rawValue)") {
      unsafe km_receive_packet(rawValue, &bytes, capacity, &descriptors, &descriptorCount)
    }
    guard count > 0 else { return nil }
    return ReceivedPacket(
      bytes: Array(bytes.prefix(count)), descriptors: Array(descriptors.prefix(descriptorCount)))
  }

  /// Hands the number over to a new owner without closing it.
  public consuming func release() -> Int32 { handle.release() }

  /// Makes sending and receiving return at once instead of waiting.
  public func setNonBlocking() throws(PlatformError) { try handle.setNonBlocking() }

  /// Makes the other end's sends fail from now on; what it has sent can still be received.
  ///
  /// Wraps `shutdown`.
  public func refuseMore() { _ = shutdown(rawValue, Int32(SHUT_RDWR)) }
}

/// Two ends of one connection, both closed on exec.
@frozen
public struct PacketSocketPair: ~Copyable {
  /// Our end.
  public let ours: PacketSocket
  /// The end for another process.
  public let theirs: PacketSocket

  /// Connects two ends.
  ///
  /// Wraps `socketpair`.
  public init() throws(PlatformError) {
    var ends: [Int32] = [-1, -1]
    // The call fills exactly two integers.
    try check("socketpair", "packets") { unsafe km_packet_pair(&ends) }
    ours = PacketSocket(owning: FileDescriptor(owning: ends[0]))
    theirs = PacketSocket(owning: FileDescriptor(owning: ends[1]))
  }
}

/// What came with one packet; closes the descriptors when it goes out of scope.
public struct ReceivedPacket: ~Copyable {
  /// The content.
  public let bytes: [UInt8]
  /// The descriptors that came along, valid as long as the packet lives, closed on exec.
  public private(set) var descriptors: [Int32]

  /// Hands the descriptors over to a new owner without closing them.
  public mutating func releaseDescriptors() -> [Int32] {
    defer { descriptors = [] }
    return descriptors
  }

  deinit {
    for descriptor in descriptors { _ = close(descriptor) }
  }
}
