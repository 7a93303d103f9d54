import Digests
import Platform

/// What checking a cache found and mended.
public struct CacheVerification: Hashable, Sendable {
  /// What is wrong with the files of the store; damaged ones have been removed.
  public internal(set) var files = Verification()
  /// The second files of contents that had two, with different extensions, which were removed.
  public internal(set) var twins: [String] = []
  /// How many files the index did not know, which are entries now.
  public internal(set) var adopted = 0
  /// How many entries had no file, or one of another length, and are gone.
  public internal(set) var forgotten = 0
  /// How many files that ended processes had left half-made were removed.
  public internal(set) var swept = 0
  /// Whether the index was damaged and was made again.
  public internal(set) var isIndexNew = false

  /// Whether all files are what they should be; what a crash leaves is mended, and is no fault.
  public var isClean: Bool { files.isClean }
}

extension TrackCache {
  /// Reads every track and compares it with its name; unless it is to change nothing, removes what is
  /// damaged and mends the index.
  ///
  /// Takes as long as reading the whole store does; others may go on using it.
  public func verify(mending: Bool = true) throws -> CacheVerification {
    var result = CacheVerification()
    guard mending else {
      result.files = try store.verify()
      return result
    }
    guard try store.exists() else { return result }
    result.isIndexNew = try mendIndexFile()
    result.swept = try sweep()
    for shard in try store.shards() {
      try reconcile(shard, &result)
      let known = result.files.faults.count
      try store.verify(shard: shard, &result.files)
      for fault in result.files.faults[known...] { try removeIfDamaged(fault) }
    }
    try forgetMissingShards(&result)
    try noteThatItIsComplete()
    return result
  }

  /// Makes the index know all files, after it was made anew.
  func reconcileUnlessComplete() throws {
    let isComplete = try reading { index in try index.read { try index.summary().isComplete } }
    guard isComplete == false else { return }
    var result = CacheVerification()
    do {
      for shard in try store.shards() { try reconcile(shard, &result) }
    } catch AudioStoreError.index(let error) where error.kind == .full {
      // It goes on knowing too little; what it knows can be read, and can be removed to make room.
      return
    }
    try noteThatItIsComplete()
  }

  /// Notes that the index knows all files; later where no space is left for that.
  private func noteThatItIsComplete() throws {
    do {
      try changing { index in try index.setComplete() }
    } catch AudioStoreError.index(let error) where error.kind == .full {
      // Another look at all files is all that this costs.
    }
  }

  /// Puts a new index in the place of a damaged one.
  ///
  /// - Returns: Whether that was necessary.
  private func mendIndexFile() throws -> Bool {
    do {
      if try reading({ index in index.isSound }) == true { return hasNewIndex }
    } catch AudioStoreError.index(let error) where error.kind == .foreign {
      // Replaced below, as one that opens but is not sound.
    }
    try replaceDamagedIndex()
    return true
  }

  /// Makes the index agree with the files of a shard.
  private func reconcile(_ shard: String, _ result: inout CacheVerification) throws {
    guard let number = UInt8(Files.name(of: shard), radix: 16) else { return }
    try changing { index in
      let rows = try index.contents(inShard: number)
      var files: [SHA256Digest: StoredTrack] = [:]
      for name in try store.names(in: shard) {
        guard let file = try store.track(named: name, in: shard) else { continue }
        if let twin = files[file.digest] {
          let removed = try removeTwin(of: rows[file.digest], file, twin, &files)
          result.twins.append(removed)
        } else {
          files[file.digest] = file
        }
      }
      for file in files.values { try reconcile(file, with: rows[file.digest], index, &result) }
      try forget(rows.values.filter { files[$0.digest] == nil }, in: index, &result)
    }
  }

  /// Makes the index agree with a file.
  private func reconcile(
    _ file: StoredTrack, with row: ContentRow?, _ index: CacheIndex,
    _ result: inout CacheVerification
  ) throws {
    if let row, row.size == file.size, row.fileExtension == file.fileExtension { return }
    if row == nil { result.adopted += 1 }
    let status = try? FileStatus(file.path, followingLinks: false)
    try index.adopt(
      file, nowMS: (status?.modifiedNanoseconds).map { $0 / 1_000_000 } ?? clock.wallMS())
  }

  /// Of two files of one content, which two processes stored at once with different extensions, keeps
  /// the one that the index has.
  ///
  /// - Returns: The path of the other, which is gone.
  private func removeTwin(
    of row: ContentRow?, _ a: StoredTrack, _ b: StoredTrack,
    _ files: inout [SHA256Digest: StoredTrack]
  ) throws(AudioStoreError) -> String {
    let kept = row?.fileExtension == a.fileExtension ? a : b
    files[kept.digest] = kept
    let removed = kept == a ? b : a
    try system { () throws(PlatformError) in try Files.removeFile(removed.path) }
    return removed.path
  }

  /// Forgets the entries whose whole shard is gone.
  private func forgetMissingShards(_ result: inout CacheVerification) throws {
    let there = Set(try store.shards().compactMap { UInt8(Files.name(of: $0), radix: 16) })
    for shard in UInt8.min...UInt8.max where !there.contains(shard) {
      try changing { index in
        try forget(index.contents(inShard: shard).values, in: index, &result)
      }
    }
  }

  private func forget(
    _ rows: some Collection<ContentRow>, in index: CacheIndex, _ result: inout CacheVerification
  ) throws {
    for row in rows {
      try index.removeContent(row.id)
      result.forgotten += 1
    }
  }

  private func removeIfDamaged(_ fault: Verification.Fault) throws {
    guard case .wrongContent = fault.kind,
      let digest = SHA256Digest(hex: String(Files.name(of: fault.path).prefix(64)))
    else { return }
    try changing { index in
      // Leased or not: wrong bytes are of no use to whoever leases them.
      let isGone = try system { () throws(PlatformError) in
        try AudioStore.removeIfAllowed(fault.path)
      }
      if isGone, let row = try index.content(digest) { try index.removeContent(row.id) }
    }
  }
}
