/// An address of the internet protocol, version 4 or 6.
public struct NetworkAddress: Hashable, Sendable {
  /// The address's bytes, the first being the most significant: 4 or 16.
  public let bytes: [UInt8]

  /// Takes an address in network order; `nil` for other than 4 or 16 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Whether it belongs to a host on the public internet, as far as an address can tell.
  ///
  /// False for loopback, private, link-local, shared (carrier's NAT), multicast, documentation,
  /// reserved and tunnel addresses: all that the registries of special-purpose addresses (IANA, RFC
  /// 6890) do not call globally reachable, and every block that is not given out. An IPv4 address
  /// inside an IPv6 one (mapped, or of NAT64, RFC 6052) counts as what it is itself.
  public var isPublic: Bool {
    guard bytes.count == 16 else { return Self.isPublic4(bytes[...]) }
    if Self.embedding4.contains(where: { $0.contains(bytes[...]) }) {
      return Self.isPublic4(bytes[12...])
    }
    return Self.global6.contains(bytes[...])
      && !Self.special6.contains(where: { $0.contains(bytes[...]) })
  }

  private static func isPublic4(_ bytes: ArraySlice<UInt8>) -> Bool {
    !special4.contains { $0.contains(bytes) }
  }

  /// Addresses that begin with the same bits.
  private struct Block: Sendable {
    let prefix: [UInt8]
    let bits: Int

    init(_ prefix: [UInt8], _ bits: Int) {
      self.prefix = prefix
      self.bits = bits
    }

    func contains(_ bytes: ArraySlice<UInt8>) -> Bool {
      var left = bits
      for (byte, expected) in zip(bytes, prefix) {
        guard left > 0 else { break }
        let mask = left >= 8 ? 0xFF : ~(UInt8.max >> UInt8(left))
        guard byte & mask == expected & mask else { return false }
        left -= 8
      }
      return true
    }
  }

  /// IANA IPv4 Special-Purpose Address Registry, and multicast and reserved space.
  private static let special4 = [
    Block([0], 8),  // this network
    Block([10], 8),  // private
    Block([100, 64], 10),  // shared, RFC 6598
    Block([127], 8),  // loopback
    Block([169, 254], 16),  // link-local, where clouds keep their secrets
    Block([172, 16], 12),  // private
    Block([192, 0, 0], 24),  // protocol assignments
    Block([192, 0, 2], 24),  // documentation
    Block([192, 88, 99], 24),  // 6to4 relays, given up
    Block([192, 168], 16),  // private
    Block([198, 18], 15),  // benchmarks
    Block([198, 51, 100], 24),  // documentation
    Block([203, 0, 113], 24),  // documentation
    Block([224], 3),  // multicast, reserved, broadcast
  ]

  /// All that has been given out for hosts on the internet.
  private static let global6 = Block([0x20], 3)
  /// IANA IPv6 Special-Purpose Address Registry, within 2000::/3.
  private static let special6 = [
    Block([0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo among them
    Block([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
    Block([0x20, 0x02], 16),  // 6to4
    Block([0x3F, 0xFF, 0x00], 20),  // documentation
  ]
  /// ::ffff:0:0/96, mapped, and 64:ff9b::/96, NAT64.
  private static let embedding4 = [
    Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96),
    Block([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96),
  ]
}

extension NetworkAddress: CustomStringConvertible {
  /// Dotted decimal, or eight groups of hexadecimal digits.
  public var description: String {
    guard bytes.count == 16 else { return bytes.map { "\($0)" }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }
}
