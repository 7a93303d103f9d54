/// Something that is not as it should be in a queue file.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public var kind: Kind
  /// What was found, in words for people.
  public var description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// The kinds of trouble, and with them what mends it.
  public enum Kind: String, CaseIterable, Sendable {
    /// An index that does not agree with its table; it is built anew.
    case index
    /// A page or a row that cannot be read or does not fit; only a backup helps.
    case damage
    /// A running job whose lease nobody can hold; it is taken back.
    case lease
    /// A job that waits for others which have all ended; it is let go.
    case dependency
    /// A counter that does not count right; it is counted anew.
    case counter
    /// A schedule that cannot be read; it is to be removed and added again.
    case schedule
    /// A write-ahead log far larger than it should be; it is moved into the file.
    case log
    /// A file that is empty for the most part; the room is given back.
    case space

    /// Whether ``JobStore/repair(bootNow:now:isAlive:)`` mends it.
    public var isRepairable: Bool {
      switch self {
      case .index, .lease, .dependency, .counter, .log, .space: true
      case .damage, .schedule: false
      }
    }
  }
}
