import Digests
import Platform

extension TrackCache {
  /// Removes what ended processes left half-made, and downloads that nobody will go on with.
  ///
  /// - Returns: How many files it removed.
  @discardableResult
  public func sweep() throws -> Int {
    guard try reading({ _ in true }) != nil else { return 0 }
    let nowMS = clock.wallMS()
    var count = try store.sweep()
    _ = try store.leasedContents(nowMS: nowMS)
    IndexPlace.removeStale(besides: try placeOfIndex(), nowMS: nowMS)
    count += try changing { index in try sweepPartials(index, nowMS) }
    return count
  }

  /// How long what was received by a download that ended early is kept, in milliseconds.
  private static let partialTermMS: Int64 = 86_400_000

  /// Removes the files of downloads that nobody will go on with, and forgets their claims.
  ///
  /// - Returns: How many files it removed.
  func sweepPartials(_ index: CacheIndex, _ nowMS: Int64) throws -> Int {
    var kept: Set<String> = []
    for row in try index.claims() {
      if try nowMS - row.changedAtMS <= Self.partialTermMS || isHeld(row) {
        kept.insert(Files.name(of: row.partial))
      } else {
        try index.removeClaim(generation: row.generation)
      }
    }
    var count = 0
    let mark = mark(of: index)
    for name in try store.names(in: store.partials) where !kept.contains(name) {
      let path = store.partials + "/" + name
      if name.hasPrefix(AudioStore.temporaryPrefix) {
        count += try store.removeTemporary(path, nowMS) ? 1 : 0
        continue
      }
      // Another machine's index knows about the others; what has not grown for a day is over.
      let isOurs = name.split(separator: "@").dropFirst().first.map { $0 == mark } ?? false
      let status = try? FileStatus(path, followingLinks: false)
      let ageMS = nowMS - (status?.modifiedNanoseconds ?? 0) / 1_000_000
      guard isOurs || ageMS > Self.partialTermMS else { continue }
      count += try system { () throws(PlatformError) in
        try AudioStore.removeIfAllowed(path) ? 1 : 0
      }
    }
    return count
  }

  /// Removes what downloads have left that nobody is at, however lately, and forgets their claims.
  func removeIdleDownloads(_ report: inout PruneReport) throws {
    try changing { index in
      for row in try index.claims() where try !isHeld(row) {
        let status = try? FileStatus(row.partial, followingLinks: false)
        guard
          try system({ () throws(PlatformError) in
            try AudioStore.removeIfAllowed(row.partial)
          })
        else { continue }
        try index.removeClaim(generation: row.generation)
        guard let status else { continue }
        report.downloads += 1
        report.bytes += status.size
      }
    }
  }

  /// How many bytes that would free.
  func idleDownloadBytes() throws -> Int64 {
    let rows = try reading { index in try index.read { try index.claims() } } ?? []
    return try rows.reduce(0) { sum, row in
      guard try !isHeld(row) else { return sum }
      return sum + ((try? FileStatus(row.partial, followingLinks: false))?.size ?? 0)
    }
  }

  /// What tells the downloads of one index from those of another, in the names of their files.
  func mark(of index: CacheIndex) -> String {
    String(SHA256Digest(of: "\(Host.name) \(index.path)").hex.prefix(16))
  }
}

extension AudioStore {
  /// Where downloads are written to.
  var partials: String { root + "/partial" }

  /// The file of a download.
  func partialPath(of key: SHA256Digest, _ generation: Int64, mark: String) -> String {
    "\(partials)/\(key.hex.prefix(32))@\(mark)@\(generation)"
  }
}
