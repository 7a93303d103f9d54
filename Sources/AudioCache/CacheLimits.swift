/// How large a cache may become.
///
/// Beyond a limit the entry that was used least recently goes first; one that is leased never goes.
public struct CacheLimits: Hashable, Sendable {
  /// How many entries there may be; nil for any number.
  public var entries: Int?
  /// How many bytes they may have together; nil for any number.
  public var bytes: Int64?
  /// What they may cost together, each what it was stored with or else its size; nil for any cost.
  public var cost: Int64?
  /// How many bytes are to stay free on the file system, as far as removing entries can bring that
  /// about: one that outputs share by hard links frees nothing and is passed over.
  public var freeBytes: Int64

  /// The most that one entry can cost: a million of them still have a sum.
  public static let largestCost: Int64 = 1_000_000_000_000

  /// The cost that an entry is noted with.
  static func bounded(_ cost: Int64) -> Int64 { max(0, min(cost, largestCost)) }

  /// Takes limits; without any, only a gigabyte is kept free.
  public init(
    entries: Int? = nil, bytes: Int64? = nil, cost: Int64? = nil, freeBytes: Int64 = 1_000_000_000
  ) {
    self.entries = entries
    self.bytes = bytes
    self.cost = cost
    self.freeBytes = freeBytes
  }

  /// Whether an entry of `size` bytes, which costs `cost` or else its size, fits when it is the only one.
  public func canHold(size: Int64, cost: Int64? = nil) -> Bool {
    (entries ?? 1) > 0 && (bytes ?? .max) >= size && (self.cost ?? .max) >= cost ?? size
  }
}
