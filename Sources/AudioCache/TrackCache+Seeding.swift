package import Digests

/// An entry of the index that is made without a file, to measure an index of any size.
package struct CacheEntrySeed {
  let digest: SHA256Digest
  let fileExtension: String
  let size: Int64
  let origin: Origin
  let usedAtMS: Int64

  package init(
    digest: SHA256Digest, fileExtension: String, size: Int64, origin: Origin, usedAtMS: Int64
  ) {
    self.digest = digest
    self.fileExtension = fileExtension
    self.size = size
    self.origin = origin
    self.usedAtMS = usedAtMS
  }
}

extension TrackCache {
  /// Adds entries in one transaction, whether or not their files are there, and takes the index for
  /// complete.
  package func addEntries(_ seeds: some Sequence<CacheEntrySeed>) throws {
    try changing { index in
      for seed in seeds {
        let file = StoredTrack(
          digest: seed.digest, fileExtension: seed.fileExtension,
          path: store.path(of: seed.digest, fileExtension: seed.fileExtension), size: seed.size)
        try index.put(file, cost: seed.size, nowMS: seed.usedAtMS, expiresAtMS: nil)
        try index.put(seed.origin, Validators(), content: file.digest, nowMS: seed.usedAtMS)
      }
      try index.setComplete()
    }
  }
}
