/// What lookups found and did not find since it was last written into the index.
///
/// Writing each hit would make reading wait for writers. So the last use is known to about a minute,
/// and what is pending is lost with the process.
struct PendingUses {
  /// How exactly last uses are kept, and after how long they are written, in milliseconds.
  static let graceMS: Int64 = 60_000
  /// How many contents are noted before they are written.
  private static let capacity = 1024

  /// When contents were used, by their numbers.
  private(set) var times: [Int64: Int64] = [:]
  private(set) var hits: Int64 = 0
  private(set) var misses: Int64 = 0
  private var sinceMS: Int64?

  var isEmpty: Bool { hits == 0 && misses == 0 }

  /// Notes a content that was found.
  mutating func noteHit(_ content: ContentRow, nowMS: Int64) {
    hits += 1
    sinceMS = sinceMS ?? nowMS
    if nowMS - content.usedAtMS >= Self.graceMS { times[content.id] = nowMS }
  }

  /// Notes that nothing was found.
  mutating func noteMiss(nowMS: Int64) {
    misses += 1
    sinceMS = sinceMS ?? nowMS
  }

  /// Whether it is time to write.
  func isDue(nowMS: Int64) -> Bool {
    guard let sinceMS else { return false }
    return nowMS - sinceMS >= Self.graceMS || times.count >= Self.capacity
  }
}
