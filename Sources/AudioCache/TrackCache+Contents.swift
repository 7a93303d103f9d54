public import Digests
import Platform

extension TrackCache {
  /// Hands out what is in the cache, the most recently used first, at most `limit` of it; entries that
  /// have lost their files count, and are left out.
  public func forEach(limit: Int = .max, _ body: (CachedTrack) throws -> Void) throws {
    try reconcileUnlessComplete()
    try flush()
    _ = try reading { index in
      try index.read {
        try index.forEachContent(limit: limit) { if isPresent($0) { try body(track($0)) } }
      }
    }
  }

  /// What leads to a track.
  public func origins(of track: CachedTrack) throws -> [KnownOrigin] {
    let origins = try reading { index in try index.read { try index.origins(of: track.id) } } ?? []
    return origins.isEmpty ? (try? elder?.origins(of: track.id)) ?? [] : origins
  }

  /// Removes a track; outputs that share its bytes keep them.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `inUse` while somebody leases it.
  @discardableResult
  public func remove(_ digest: SHA256Digest) throws -> Bool {
    guard try reading({ _ in true }) != nil else { return false }
    var hadFile = false
    do {
      try changing { index in
        guard try !store.leasedContents(nowMS: clock.wallMS()).contains(digest) else {
          throw AudioStoreError.inUse(digest)
        }
        // First, as it may make the room that the index needs to note it.
        hadFile = try store.remove(digest)
        if let row = try index.content(digest) { try index.removeContent(row.id) }
      }
    } catch AudioStoreError.index(let error) where error.kind == .full && hadFile {
      // Its file has made room, unless outputs share its bytes: then the entry is a miss, and is forgotten
      // at the next.
      try? changing { index in
        if let row = try index.content(digest), !isPresent(row) { try index.removeContent(row.id) }
      }
    }
    return hadFile
  }

  /// How much is in the cache, and how it is used.
  public func statistics() throws -> CacheStatistics {
    try reconcileUnlessComplete()
    try flush()
    let leased = try store.leasedContents(nowMS: clock.wallMS()).count
    let statistics = try reading { index in
      try index.read {
        let summary = try index.summary()
        return CacheStatistics(
          entries: summary.entries, bytes: summary.bytes, cost: summary.cost,
          origins: try index.originCount(), downloads: try index.runningClaimCount(),
          leased: leased, hits: summary.hits, misses: summary.misses, freeBytes: freeBytes)
      }
    }
    return statistics
      ?? CacheStatistics(
        entries: 0, bytes: 0, cost: 0, origins: 0, downloads: 0, leased: 0, hits: 0, misses: 0,
        freeBytes: freeBytes)
  }
}
