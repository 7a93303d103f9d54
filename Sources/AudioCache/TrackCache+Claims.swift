import Digests
import Platform

extension TrackCache {
  /// Asks for the track of an origin, and for the right to download it where it is not there.
  ///
  /// However many processes ask, one has the right at a time. It passes on when that process has ended,
  /// or has not called `renew` within its lease, or has called `fail`.
  ///
  /// An origin that was looked at no longer than `maxAge` ago is taken to be as it was: nil means any
  /// time, zero has it looked at now (see `DownloadClaim.previous`).
  ///
  /// Unless `includingPrivate`, what was fetched from a host that is not public counts for nothing, and
  /// the download must not connect to one.
  ///
  /// In a store that may only be read, what is there counts whatever its age.
  /// - Throws: `readOnly` where it is not there, and cannot come.
  public func claim(
    _ origin: Origin, maxAge: Duration? = nil, lease: Duration = .seconds(30),
    includingPrivate: Bool = true
  ) throws -> ClaimResult {
    if let track = try track(for: origin, maxAge: maxAge, includingPrivate: includingPrivate) {
      return .present(track)
    }
    if store.isReadOnly {
      guard let track = try track(for: origin, includingPrivate: includingPrivate) else {
        throw AudioStoreError.readOnly(origin, root: store.root)
      }
      return .present(track)
    }
    let key = origin.key
    return try changing { index in
      let known = try index.origin(origin).flatMap { row in
        isPresent(row.content) && (includingPrivate || !row.isPrivate) ? row : nil
      }
      // Once more: it may have come while this process waited for its turn.
      if let known, isFresh(known, maxAge) { return .present(track(known.content)) }
      let earlier = try index.claim(key)
      if let earlier, try isHeld(earlier) { return .other(download(earlier, .running)) }
      let previous = known.map { row in
        DownloadClaim.Previous(track: track(row.content), validators: row.validators)
      }
      return .mine(
        try take(
          origin, after: earlier, previous, lease, allowsPrivate: includingPrivate, in: index))
    }
  }

  /// The download of an origin; nil where there is none, because there never was or it has ended well.
  public func download(of origin: Origin) throws -> Download? {
    try reading { index in
      guard let row = try index.read({ try index.claim(origin.key) }) else { return nil }
      if let reason = row.failure { return download(row, .failed(reason: reason)) }
      return download(row, try isHeld(row) ? .running : .abandoned)
    } ?? nil
  }

  /// Prolongs a claim; to be called several times in a lease.
  ///
  /// - Throws: `claimLost` when it has passed on: the download must stop.
  public func renew(_ claim: DownloadClaim) throws { try renew(claim) { _ in } }

  /// Prolongs a claim, and tells others what the server says about what is in the file from now on.
  ///
  /// It replaces what was said before: without validators, nobody goes on from these bytes.
  /// - Throws: `claimLost` when it has passed on: the download must stop.
  public func renew(
    _ claim: DownloadClaim, expectedSize: Int64?, validators: Validators = Validators()
  ) throws {
    try renew(claim) { index in
      try index.note(
        expectedSize: expectedSize, validators: validators, claimOn: claim.origin.key)
    }
  }

  private func renew(_ claim: DownloadClaim, note: (CacheIndex) throws -> Void) throws {
    let isMine = try changing { index in
      let isMine = try index.renew(
        claimOn: claim.origin.key, generation: claim.generation,
        leaseUntilMS: clock.bootMS() + claim.lease.wholeMilliseconds, nowMS: clock.wallMS())
      if isMine { try note(index) }
      return isMine
    }
    guard isMine else { throw AudioStoreError.claimLost(claim.origin) }
  }

  /// Puts a finished download into the cache, and ends the claim; ``keepToLimits()`` is to follow once
  /// the track is leased, so that one too large for the limits serves whoever has waited for it.
  ///
  /// The file is hashed here. `cost` and `expiry` are those of `insert`. What is put in on trial goes
  /// after an hour, unless ``accept(_:)`` is called or somebody puts it in who knows what it is.
  /// `isPrivate` says that it came from a host that is not public.
  /// - Throws: `stillWritten` while somebody has the file open for writing; `claimLost` when the claim
  ///   has passed on, and nothing is put in.
  public func finish(
    _ claim: DownloadClaim, fileExtension: String, validators: Validators = Validators(),
    cost: Int64? = nil, expiry: Expiry = .never, isOnTrial: Bool = false, isPrivate: Bool = false
  ) throws -> CachedTrack {
    try renew(claim)
    let path = claim.partialPath
    let writers = try system { () throws(PlatformError) in try Files.writers(of: path) }
    guard writers != .some else { throw AudioStoreError.stillWritten(path: path) }
    let digest = try contentDigest(ofFileAt: path)
    let entry = Entry(
      origin: claim.origin, validators: validators, cost: cost,
      expiry: isOnTrial ? .after(Self.trial) : expiry, isOnTrial: isOnTrial, isPrivate: isPrivate)
    for _ in 0..<8 {
      let stored = try store.insert(fileAt: path, digest: digest, fileExtension: fileExtension)
      let track = try register(stored.track, as: entry) { index in try end(claim, in: index) }
      guard let track else { continue }
      // Only now: until the index knew the track, the file was what to go on from.
      try? Files.removeFile(path)
      return track
    }
    throw AudioStoreError.system(PlatformError(code: .notFound, call: "lstat", subject: path))
  }

  /// Ends a claim because the server says that `previous` is still what there is.
  ///
  /// Its time is as it was unless there is an `expiry`; that of a trial begins anew.
  /// - Returns: The track; nil where it has been removed meanwhile and must be downloaded, by the claim,
  ///   which then goes on.
  public func confirm(_ claim: DownloadClaim, expiry: Expiry? = nil) throws -> CachedTrack? {
    let nowMS = clock.wallMS()
    return try changing { index in
      guard let row = try index.origin(claim.origin), isPresent(row.content) else { return nil }
      try end(claim, in: index)
      let content = row.content
      let expiry = content.isOnTrial ? .after(Self.trial) : expiry
      try index.put(
        track(content).file, cost: content.cost, nowMS: nowMS,
        expiresAtMS: expiry.map { $0.deadline(from: nowMS) } ?? content.expiresAtMS,
        isOnTrial: content.isOnTrial)
      try index.confirm(claim.origin, nowMS: nowMS)
      try? Files.removeFile(claim.partialPath)
      return try index.content(content.digest).map(track)
    }
  }

  /// Lets a track stay that was put in on trial: something could be made of it.
  public func accept(_ track: CachedTrack) throws {
    guard track.isOnTrial else { return }
    try changing { index in try index.accept(track.digest) }
  }

  /// How long what was put in on trial may be used.
  private static let trial = Duration.seconds(3600)

  /// Ends a claim without a track, and tells those who wait for it why.
  ///
  /// What was received is kept for a day, for the next claim to go on from, if it is resumable.
  public func fail(_ claim: DownloadClaim, reason: String, isResumable: Bool = true) throws {
    try changing { index in
      let isMine = try index.fail(
        claimOn: claim.origin.key, generation: claim.generation, reason: reason,
        nowMS: clock.wallMS())
      guard isMine else { throw AudioStoreError.claimLost(claim.origin) }
      if !isResumable { try? Files.removeFile(claim.partialPath) }
    }
  }
}

// MARK: - Who has a claim

extension TrackCache {
  /// Whether an entry may be handed out as it is.
  private func isFresh(_ row: OriginRow, _ maxAge: Duration?) -> Bool {
    let nowMS = clock.wallMS()
    guard !row.content.isExpired(at: nowMS) else { return false }
    return maxAge.map { nowMS - row.checkedAtMS <= $0.wholeMilliseconds } ?? true
  }

  /// Whether a claim goes on, and its owner is, as far as can be seen, at it.
  func isHeld(_ row: ClaimRow) throws -> Bool {
    guard row.failure == nil, clock.bootMS() < row.leaseUntilMS else { return false }
    return try !hasEnded(row)
  }

  /// Whether the process that a claim is of has ended for certain.
  private func hasEnded(_ row: ClaimRow) throws -> Bool {
    guard let owner = StoreUser(row.owner) else { return true }
    return try system { () throws(PlatformError) in
      try owner.standing(seenBy: StoreUser.current) == .ended
    }
  }

  private func download(_ row: ClaimRow, _ state: Download.State) -> Download {
    Download(
      state: state, partialPath: row.partial, received: Self.size(of: row.partial),
      expected: row.expectedSize, allowsPrivate: row.allowsPrivate, generation: row.generation)
  }

  private func take(
    _ origin: Origin, after earlier: ClaimRow?, _ previous: DownloadClaim.Previous?,
    _ lease: Duration, allowsPrivate: Bool, in index: CacheIndex
  ) throws -> DownloadClaim {
    let generation = try index.nextGeneration()
    let partial = store.partialPath(of: origin.key, generation, mark: mark(of: index))
    let resumes = try takeOver(earlier, to: partial)
    let owner = try system { () throws(PlatformError) in try StoreUser.current }
    // Kept with what they are of, for the one after this, who may have to go on from here.
    let validators = (resumes ? earlier?.validators : nil) ?? Validators()
    try index.put(
      ClaimRow(
        location: origin.location, generation: generation, owner: owner.description,
        leaseUntilMS: clock.bootMS() + lease.wholeMilliseconds, partial: partial,
        expectedSize: resumes ? earlier?.expectedSize : nil, validators: validators, failure: nil,
        changedAtMS: clock.wallMS(), allowsPrivate: allowsPrivate),
      claimOn: origin.key)
    return DownloadClaim(
      origin: origin, partialPath: partial, resumeOffset: resumes ? Self.size(of: partial) : 0,
      resumeValidators: validators, previous: previous, lease: lease, generation: generation)
  }

  /// Gives what an earlier claim has received to a new one, under a name that the earlier one does not
  /// know.
  ///
  /// - Returns: Whether there is something to go on from: that nobody can be writing to any more.
  private func takeOver(_ earlier: ClaimRow?, to partial: String) throws -> Bool {
    try system { () throws(PlatformError) in
      try Files.makeDirectory(store.partials, permissions: 0o700)
    }
    guard let earlier else { return false }
    let isLeft = try earlier.failure != nil || hasEnded(earlier)
    let isQuiet = (try? Files.writers(of: earlier.partial)) == Writers.none
    guard isLeft, isQuiet, (try? Files.rename(earlier.partial, to: partial)) != nil else {
      try system { () throws(PlatformError) in try Files.removeFile(earlier.partial) }
      return false
    }
    return true
  }

  /// Forgets a claim, if it is still that of this generation.
  private func end(_ claim: DownloadClaim, in index: CacheIndex) throws {
    let row = try index.claim(claim.origin.key)
    guard row?.generation == claim.generation, row?.failure == nil else {
      throw AudioStoreError.claimLost(claim.origin)
    }
    try index.removeClaim(on: claim.origin.key)
  }

  private static func size(of path: String) -> Int64 { (try? FileStatus(path))?.size ?? 0 }
}
