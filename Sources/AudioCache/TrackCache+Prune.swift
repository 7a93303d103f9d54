import Digests
import Platform

/// What pruning removed.
public struct PruneReport: Hashable, Sendable {
  /// How many files of downloads went that nobody was at.
  public internal(set) var downloads = 0
  /// How many entries went because their time was over.
  public internal(set) var expired = 0
  /// How many went to keep to a limit.
  public internal(set) var evicted = 0
  /// How many bytes they all had.
  public internal(set) var bytes: Int64 = 0
  /// How many would have been next but are leased.
  public internal(set) var inUse = 0

  /// How many entries went.
  public var removed: Int { expired + evicted }
}

extension TrackCache {
  /// Removes what is over its time, and then what was used least recently, until the limits are kept.
  ///
  /// What was used lately and is over a limit all by itself goes before others must go for its sake.
  /// The limits are the cache's own, unless others are given. Works in short transactions, so that
  /// others need not wait long.
  ///
  /// Where the disk is to be freed, or a limit is 0, what downloads have left that nobody is at goes
  /// first. The disk is freed as far as that can be: see ``keepToLimits()`` for what keeps a cache whole.
  @discardableResult
  public func prune(to limits: CacheLimits? = nil) throws -> PruneReport {
    guard try reading({ index in try index.read { try index.summary() } }) != nil else {
      return PruneReport()
    }
    try reconcileUnlessComplete()
    try flush()
    try sweep()
    var pruning = Pruning(limits: limits ?? self.limits)
    do {
      try carryOut(&pruning)
    } catch AudioStoreError.index(let error) where error.kind == .full {
      // The files went first, and have made the room that noting it takes.
      try forgetLost()
      try carryOut(&pruning)
    }
    return pruning.report
  }

  private func carryOut(_ pruning: inout Pruning) throws {
    if pruning.limits.wantsAll || isShortOfSpace(pruning.limits) {
      try removeIdleDownloads(&pruning.report)
    }
    try pruneExpired(&pruning)
    try evictMisfits(&pruning)
    try evictLeastUsed(&pruning)
    try freeSpace(&pruning)
  }

  /// Forgets the entries that have no file any more.
  private func forgetLost() throws {
    var cursor = CacheIndex.DepartureCursor.start
    var isDone = false
    while !isDone {
      try changing { index in
        let rows = try index.next(.leastUsed, after: &cursor, limit: Self.batch)
        for row in rows where Self.standing(at: path(of: row)) == nil {
          try index.removeContent(row.id)
        }
        isDone = rows.count < Self.batch
      }
    }
  }

  /// Prunes if there is a need to; while another process keeps the index for long, the next who puts
  /// something in does so.
  ///
  /// What pruning could not bring about, because of leases or of links, it is not asked for again for a
  /// minute: it would look at the same entries with everything that is put in.
  ///
  /// Where no removing makes as much of the disk free as is to be, nothing goes for that, and it is told
  /// once: a cache without tracks would be of no use to anybody.
  public func keepToLimits() throws {
    let nowMS = clock.wallMS()
    let isDue = try reading { index in
      try index.read {
        try !limits.allow(index.summary())
          || nowMS >= pruningPatience.expiryMS && index.hasExpired(atMS: nowMS)
      }
    }
    guard let isDue, isDue || nowMS >= pruningPatience.spaceMS && isShortOfSpace(limits) else {
      return
    }
    do {
      try prune(to: attainable(limits))
      let hasExpired = try reading { index in
        try index.read { try index.hasExpired(atMS: nowMS) }
      }
      let retryMS = nowMS + Self.retryMS
      if hasExpired == true { pruningPatience.expiryMS = retryMS }
      if isShortOfSpace(limits) { pruningPatience.spaceMS = retryMS }
    } catch AudioStoreError.index(let error) where error.kind == .busy {
      // What was put in is in.
    }
  }

  /// After how long what pruning could not remove is tried again, in milliseconds.
  private static let retryMS: Int64 = 60_000
  /// How many entries a transaction removes, which then takes some milliseconds.
  static let batch = 500
  /// Among how many entries, the most recently used, one is looked for that no cache of these limits
  /// can hold: it comes when it is put in, and stays only as long as it is leased.
  private static let recent = 64
  /// How many entries that free nothing are looked at before giving up.
  static let patienceForLinked = 10_000

  /// What pruning goes by, and what it has done so far.
  private struct Pruning {
    let limits: CacheLimits
    var report = PruneReport()
    /// The leased entries that the limits cannot hold: they go later, and nothing goes for their sake.
    var misfits: [ContentRow] = []
  }

  private func pruneExpired(_ pruning: inout Pruning) throws {
    let nowMS = clock.wallMS()
    var cursor = CacheIndex.DepartureCursor.start
    while true {
      let rows = try changing { index in
        let leased = try store.leasedContents(nowMS: nowMS)
        let rows = try index.next(.expired(atMS: nowMS), after: &cursor, limit: Self.batch)
        for row in rows where !leased.contains(row.digest) {
          try remove(row, from: index, &pruning.report.expired, &pruning.report.bytes)
        }
        return rows
      }
      if rows.count < Self.batch { return }
    }
  }

  private func evictMisfits(_ pruning: inout Pruning) throws {
    try changing { index in
      guard try !pruning.limits.allow(index.summary()) else { return }
      var misfits: [ContentRow] = []
      try index.forEachContent(limit: Self.recent) { row in
        if !pruning.limits.canHold(size: row.size, cost: row.cost) { misfits.append(row) }
      }
      let leased = try store.leasedContents(nowMS: clock.wallMS())
      for row in misfits {
        if leased.contains(row.digest) {
          pruning.misfits.append(row)
          pruning.report.inUse += 1
        } else {
          try remove(row, from: index, &pruning.report.evicted, &pruning.report.bytes)
        }
      }
    }
  }

  private func evictLeastUsed(_ pruning: inout Pruning) throws {
    var cursor = CacheIndex.DepartureCursor.start
    var isDone = false
    while !isDone {
      try changing { index in
        var excess = Excess(try index.summary(), over: pruning.limits)
        for row in pruning.misfits { excess.subtract(row) }
        let leased = try store.leasedContents(nowMS: clock.wallMS())
        let rows =
          excess.isNone
          ? [] : try index.next(.leastUsed, after: &cursor, limit: Self.batch)
        for row in rows where !excess.isNone && !pruning.misfits.contains(row) {
          guard !leased.contains(row.digest) else {
            pruning.report.inUse += 1
            continue
          }
          try remove(row, from: index, &pruning.report.evicted, &pruning.report.bytes)
          excess.subtract(row)
        }
        isDone = excess.isNone || rows.count < Self.batch
      }
    }
  }

  /// Removes entries whose files nobody else has, until enough of the disk is free.
  private func freeSpace(_ pruning: inout Pruning) throws {
    var cursor = CacheIndex.DepartureCursor.start
    var passedOver = 0
    var isDone = false
    while !isDone, isShortOfSpace(pruning.limits), passedOver < Self.patienceForLinked {
      try changing { index in
        var missing = pruning.limits.freeBytes - freeBytes
        let leased = try store.leasedContents(nowMS: clock.wallMS())
        let rows = try index.next(.leastUsed, after: &cursor, limit: Self.batch)
        for row in rows where missing > 0 {
          guard !leased.contains(row.digest) else {
            pruning.report.inUse += 1
            continue
          }
          let status = try? FileStatus(path(of: row), followingLinks: false)
          if let status, status.linkCount > 1 {
            passedOver += 1
            continue
          }
          try remove(row, from: index, &pruning.report.evicted, &pruning.report.bytes)
          missing -= row.size
        }
        isDone = missing <= 0 || rows.count < Self.batch
      }
    }
  }

  private func remove(
    _ row: ContentRow, from index: CacheIndex, _ count: inout Int, _ bytes: inout Int64
  ) throws {
    // The file first: a row without one is a miss, a file without a row would come back.
    try removeFile(of: row)
    try index.removeContent(row.id)
    count += 1
    bytes += row.size
  }

}

/// Until when pruning is not asked again for what it could not bring about, in milliseconds since 1970.
struct PruningPatience {
  /// That all go whose time is over.
  var expiryMS = Int64.min
  /// That enough of the disk is free.
  var spaceMS = Int64.min
  /// Whether it was told that no removing makes enough of the disk free.
  var hasToldOfSpace = false
}

/// By how much the sums of an index are above limits.
private struct Excess {
  private var entries: Int
  private var bytes: Int64
  private var cost: Int64

  init(_ summary: IndexSummary, over limits: CacheLimits) {
    entries = limits.entries.map { summary.entries - $0 } ?? 0
    bytes = limits.bytes.map { summary.bytes - $0 } ?? 0
    cost = limits.cost.map { summary.cost - $0 } ?? 0
  }

  var isNone: Bool { entries <= 0 && bytes <= 0 && cost <= 0 }

  mutating func subtract(_ row: ContentRow) {
    entries -= 1
    bytes -= row.size
    cost -= row.cost
  }
}

extension CacheLimits {
  /// Whether nothing may stay that is not in use.
  fileprivate var wantsAll: Bool { entries == 0 || bytes == 0 || cost == 0 }

  /// Whether sums are within the limits.
  fileprivate func allow(_ summary: IndexSummary) -> Bool {
    Excess(summary, over: self).isNone
  }
}
