import Digests
import Platform

// What is free on the disk, and what removing tracks can make free.
extension TrackCache {
  /// Makes room for the rest of a download that will have `total` bytes.
  ///
  /// - Returns: Whether it fits: beside what is to stay free or, where that is more than any removing
  ///   could make free, into what is free.
  public func makeRoom(for claim: DownloadClaim, total: Int64) throws -> Bool {
    let bytes = total - ((try? FileStatus(claim.partialPath))?.size ?? 0)
    func fits(beside reserve: Int64) -> Bool { freeBytes - reserve >= bytes }
    let reserve = limits.freeBytes
    if fits(beside: reserve) { return true }
    for reserve in [reserve, 0] {
      var wanted = limits
      wanted.freeBytes = reserve + bytes
      if try canFree(wanted.freeBytes) { try prune(to: wanted) }
      if fits(beside: reserve) { return true }
      // What is to stay free may be had without these bytes: then it is theirs that are too many.
      if try canFree(reserve) { return false }
    }
    return false
  }

  /// Limits as they are, or without what is to stay free where no removing can bring that about, of which
  /// `notice` is told once.
  public func attainable(_ limits: CacheLimits) throws -> CacheLimits {
    guard try !canFree(limits.freeBytes) else { return limits }
    if !pruningPatience.hasToldOfSpace {
      pruningPatience.hasToldOfSpace = true
      notice(
        "\(store.root): \(freeBytes) bytes of the disk are free, and \(limits.freeBytes) are to be, which "
          + "removing tracks cannot bring about, so none goes for that; make room, or lower "
          + "$KEYMILL_CACHE_FREE")
    }
    var limits = limits
    limits.freeBytes = 0
    return limits
  }

  /// Whether removing what may be removed makes `bytes` of the disk free.
  private func canFree(_ bytes: Int64) throws -> Bool {
    var missing = bytes - freeBytes
    guard missing > 0 else { return true }
    missing -= try idleDownloadBytes()
    var cursor = CacheIndex.DepartureCursor.start
    var passedOver = 0
    while missing > 0, passedOver < Self.patienceForLinked {
      let leased = try store.leasedContents(nowMS: clock.wallMS())
      let rows =
        try reading { index in
          try index.read { try index.next(.leastUsed, after: &cursor, limit: Self.batch) }
        } ?? []
      for row in rows where missing > 0 {
        let status = try? FileStatus(path(of: row), followingLinks: false)
        if leased.contains(row.digest) || status?.linkCount != 1 {
          passedOver += 1
        } else {
          missing -= row.size
        }
      }
      if rows.count < Self.batch { break }
    }
    return missing <= 0
  }

  /// Whether less of the disk is free than is to be.
  func isShortOfSpace(_ limits: CacheLimits) -> Bool { freeBytes < limits.freeBytes }

  /// The bytes that are free where the store is or will be; as many as can be where nothing says.
  var freeBytes: Int64 {
    var directory = store.root
    while (try? FileStatus(directory)) == nil, Files.parent(of: directory) != directory {
      directory = Files.parent(of: directory)
    }
    return (try? Files.freeSpace(directory)).map { Int64(clamping: $0) } ?? .max
  }
}
