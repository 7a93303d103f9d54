/// The index entries that were asked for lately, in memory: two generations, of which the older is
/// dropped when the younger is full.
///
/// What is in use moves to the younger one, so the oldest goes first without a list to keep in order.
struct HotEntries {
  /// How many entries a generation has: some 2 MB with both full and URLs of common length.
  private static let capacity = 2048

  private var young: [Origin: OriginRow] = [:]
  private var old: [Origin: OriginRow] = [:]

  /// The entry of an origin, if it is kept.
  mutating func entry(_ origin: Origin) -> OriginRow? {
    if let row = young[origin] { return row }
    guard let row = old[origin] else { return nil }
    keep(row, for: origin)
    return row
  }

  /// Keeps an entry.
  mutating func keep(_ row: OriginRow, for origin: Origin) {
    if young.count >= Self.capacity {
      old = young
      young.removeAll(keepingCapacity: true)
    }
    young[origin] = row
  }

  /// Forgets all.
  mutating func removeAll() {
    young.removeAll()
    old.removeAll()
  }
}
