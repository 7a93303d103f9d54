public import Digests
public import Platform

/// What became of a track that was put into the cache.
public struct CacheInsertion: Hashable, Sendable {
  /// The track.
  public let track: CachedTrack
  /// Whether the store did not have the content before.
  public let isNew: Bool
  /// How the caller's file and the stored one share their bytes.
  public let sharing: Files.LinkKind
}

extension TrackCache {
  /// Puts a finished file's content into the store, lets the file share its bytes with it, and notes
  /// what it is the track of; then keeps to the limits.
  ///
  /// As `AudioStore.insert(fileAt:digest:fileExtension:)`, which says what becomes of the file.
  ///
  /// The track is found by its digest, and by its `origin` as long as nothing is known against the
  /// `validators`. Against the limit of cost it counts for `cost`, or else its size, and for
  /// `CacheLimits.largestCost` at most. It may be used
  /// until its `expiry`; where the content is there already, the longer time counts.
  @discardableResult
  public func insert(
    fileAt path: String, digest: SHA256Digest? = nil, fileExtension: String,
    origin: Origin? = nil, validators: Validators = Validators(), cost: Int64? = nil,
    expiry: Expiry = .never
  ) throws -> CacheInsertion {
    let entry = Entry(origin: origin, validators: validators, cost: cost, expiry: expiry)
    // Whoever prunes may remove the file before the index knows it; nobody does so for ever.
    for _ in 0..<8 {
      let stored = try store.insert(fileAt: path, digest: digest, fileExtension: fileExtension)
      if let track = try register(stored.track, as: entry) {
        try keepToLimits()
        return CacheInsertion(track: track, isNew: stored.isNew, sharing: stored.sharing)
      }
    }
    throw AudioStoreError.system(
      PlatformError(code: .notFound, call: "lstat", subject: store.root))
  }

  /// Puts a copy of a file into the cache, hashed as it is copied; the file itself is only read.
  ///
  /// For files that belong to somebody else; otherwise as `insert(fileAt:)`.
  @discardableResult
  public func insert(
    copyOf path: String, fileExtension: String, origin: Origin? = nil,
    validators: Validators = Validators(), cost: Int64? = nil, expiry: Expiry = .never
  ) throws -> CacheInsertion {
    let copy = try store.copyIn(path)
    defer { try? Files.removeFile(copy.path) }
    return try insert(
      fileAt: copy.path, digest: copy.digest, fileExtension: fileExtension, origin: origin,
      validators: validators, cost: cost, expiry: expiry)
  }

  /// What the index is to know about a file besides its content.
  struct Entry {
    let origin: Origin?
    let validators: Validators
    let cost: Int64?
    let expiry: Expiry
    var isOnTrial = false
    var isPrivate = false
  }

  /// Notes a stored file in the index, and does what else there is to do in the same transaction; nil
  /// where the file has been removed meanwhile.
  func register(
    _ file: StoredTrack, as entry: Entry, finish: (CacheIndex) throws -> Void = { _ in }
  ) throws -> CachedTrack? {
    let nowMS = clock.wallMS()
    return try changing { index in
      guard (try? FileStatus(file.path, followingLinks: false)) != nil else { return nil }
      try index.put(
        file, cost: CacheLimits.bounded(entry.cost ?? file.size), nowMS: nowMS,
        expiresAtMS: entry.expiry.deadline(from: nowMS), isOnTrial: entry.isOnTrial)
      if let origin = entry.origin {
        try index.put(
          origin, entry.validators, content: file.digest, nowMS: nowMS,
          isPrivate: entry.isPrivate)
      }
      try finish(index)
      return try index.content(file.digest).map(track)
    }
  }
}
