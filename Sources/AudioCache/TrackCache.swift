public import Digests
import struct FoundationEssentials.Date
import Platform
import SQLite

/// The cache of tracks: a store of files, and an index that says what each is the track of.
///
/// Any number of processes may use one cache at once. Reading takes no lock; a change is one short
/// transaction of the index. The index may be lost or be behind at any time, for which the price is a
/// miss: nothing is handed out whose file is not there in its full length. Machines that share the
/// directory of a store have an index each (see ``IndexPlace``).
///
/// Nothing is opened or made before it is needed. A cache belongs to one thread, and not to a process
/// forked after its first use. Its calls throw ``AudioStoreError``.
public final class TrackCache {
  /// The files.
  public let store: AudioStore
  /// How large the cache may become; kept to whenever something is put in.
  public var limits: CacheLimits
  /// Is told, on the cache's thread, what was mended that somebody should know of.
  public var notice: @Sendable (String) -> Void = { _ in }

  let clock: CacheClock
  private let patience: Duration
  private let indexPath: String?
  private var opened: CacheIndex?
  /// One that must not be kept, while a call goes on that uses it.
  private weak var passing: CacheIndex?
  /// Whether an index was damaged and is a new one now.
  private(set) var hasNewIndex = false
  /// The index that lies beside the tracks, of a store that this user may only read.
  private(set) lazy var elder: CacheIndex? = {
    guard let path = try? placeOfIndex() else { return nil }
    return IndexPlace.elder(ofStore: store.root, besides: path).flatMap {
      try? CacheIndex(reading: $0)
    }
  }()
  private var hot = HotEntries()
  private var hotVersion: Int64 = -1
  private var uses = PendingUses()
  var pruningPatience = PruningPatience()

  /// A cache in a directory, which need not exist.
  ///
  /// A call waits for changes that other processes make as long as `patience`. The index is at
  /// `indexPath`, on a local file system, or else where it belongs.
  public init(
    root: String, limits: CacheLimits = CacheLimits(), patience: Duration = .seconds(10),
    indexPath: String? = nil, clock: CacheClock = .system
  ) {
    self.store = AudioStore(root: root)
    self.limits = limits
    self.patience = patience
    self.indexPath = indexPath
    self.clock = clock
  }

  /// Makes a cache in the same directory and within the same limits, for another thread.
  public var another: @Sendable () -> TrackCache {
    { [root = store.root, limits, patience, indexPath, clock, notice] in
      let cache = TrackCache(
        root: root, limits: limits, patience: patience, indexPath: indexPath, clock: clock)
      cache.notice = notice
      return cache
    }
  }

  deinit { try? flush() }

  /// The track of an origin; nil where there is none, its time is over, or it is not up to date.
  ///
  /// It is up to date when all that `validators` say about the origin now was so then, and when it was
  /// looked at no longer than `maxAge` ago. Unless `includingPrivate`, what was fetched from a host that
  /// is not public is not there. Costs microseconds and waits for nobody.
  public func track(
    for origin: Origin, validators: Validators = Validators(), maxAge: Duration? = nil,
    includingPrivate: Bool = true
  ) throws -> CachedTrack? {
    let nowMS = clock.wallMS()
    let row = try reading { index in try entry(origin, in: index) } ?? nil
    let isCurrent = row.map { row in
      validators.agree(with: row.validators)
        && maxAge.map { nowMS - row.checkedAtMS <= $0.wholeMilliseconds } ?? true
        && (includingPrivate || !row.isPrivate)
    }
    return try hand(out: isCurrent == true ? row?.content : nil, nowMS)
  }

  /// The track with a content; nil where there is none or its time is over.
  ///
  /// A file that the index does not know is found all the same.
  public func track(_ digest: SHA256Digest) throws -> CachedTrack? {
    let nowMS = clock.wallMS()
    var row = try reading { index in try index.content(digest) } ?? nil
    if row == nil, let file = try store.lookup(digest) {
      row = try changing { index in
        try index.adopt(file, nowMS: nowMS)
        return try index.content(digest)
      }
    }
    return try hand(out: row, nowMS)
  }

  /// Writes what is known about hits and last uses into the index; happens by itself every minute in
  /// which something is asked for, and at the end of this value's life.
  public func flush() throws {
    guard !uses.isEmpty else { return }
    _ = try reading { index in try index.write { try write(uses, to: index) } }
    uses = PendingUses()
  }
}

// MARK: - Looking up

extension TrackCache {
  private func entry(_ origin: Origin, in index: CacheIndex) throws -> OriginRow? {
    let version = try index.read { try index.connection.dataVersion() }
    if version != hotVersion {
      hot.removeAll()
      hotVersion = version
    }
    if let row = hot.entry(origin) { return row }
    var row = try index.read { try index.origin(origin) }
    // What cannot be read there is a miss.
    if row == nil { row = try? elder?.origin(origin) }
    if let row { hot.keep(row, for: origin) }
    return row
  }

  /// Makes sure that a content is there, and counts it as a hit or a miss.
  private func hand(out content: ContentRow?, _ nowMS: Int64) throws -> CachedTrack? {
    var track: CachedTrack?
    if let content, !content.isExpired(at: nowMS) {
      track = isPresent(content) ? self.track(content) : nil
      if track == nil { try forget(content) }
    }
    if let content, track != nil {
      uses.noteHit(content, nowMS: nowMS)
    } else {
      uses.noteMiss(nowMS: nowMS)
    }
    if uses.isDue(nowMS: nowMS) { try flushIfFree() }
    return track
  }

  /// Writes what is pending; later where another process is at it.
  private func flushIfFree() throws {
    let isWritten = try reading { index in
      try index.writeIfFree { try write(uses, to: index) }
    }
    if isWritten != false { uses = PendingUses() }
  }

  private func write(_ uses: PendingUses, to index: CacheIndex) throws {
    try index.noteUses(uses.times)
    try index.count(hits: uses.hits, misses: uses.misses)
  }

  /// Forgets a content whose file is missing or has another length; where another process is at it, the
  /// next lookup does so.
  private func forget(_ content: ContentRow) throws {
    hot.removeAll()
    _ = try reading { index in
      try index.writeIfFree {
        guard !isPresent(content) else { return }
        // Asked before, as a store that may only be read refuses even that.
        if Self.standing(at: path(of: content)) != nil { try removeFile(of: content) }
        try index.removeContent(content.id)
      }
    }
  }

  /// Whether the file of a content is there in its full length.
  func isPresent(_ content: ContentRow) -> Bool {
    let status = try? FileStatus(path(of: content), followingLinks: false)
    return status?.kind == .file && status?.size == content.size
  }

  func removeFile(of content: ContentRow) throws(AudioStoreError) {
    try system { () throws(PlatformError) in try Files.removeFile(path(of: content)) }
  }

  func path(of content: ContentRow) -> String {
    store.path(of: content.digest, fileExtension: content.fileExtension)
  }

  func track(_ content: ContentRow) -> CachedTrack {
    CachedTrack(
      file: StoredTrack(
        digest: content.digest, fileExtension: content.fileExtension, path: path(of: content),
        size: content.size),
      cost: content.cost, storedAt: Date(millisecondsSince1970: content.storedAtMS),
      usedAt: Date(millisecondsSince1970: content.usedAtMS),
      expiresAt: content.expiresAtMS.map(Date.init(millisecondsSince1970:)),
      isOnTrial: content.isOnTrial, id: content.id)
  }
}

// MARK: - The index

extension TrackCache {
  /// Runs `body` with the index; nil where there is no store yet.
  func reading<Result>(_ body: (CacheIndex) throws -> Result) throws -> Result? {
    guard try store.exists() else { return nil }
    return try body(try index())
  }

  /// Runs `body` in a write transaction of the index, which is made where there is none.
  func changing<Result>(_ body: (CacheIndex) throws -> Result) throws -> Result {
    try system { () throws(PlatformError) in
      try Files.makeDirectory(store.root, permissions: 0o700)
    }
    let index = try index()
    defer { hot.removeAll() }
    return try index.write { try body(index) }
  }

  /// The index, opened if it is not; again where its file was replaced.
  private func index() throws -> CacheIndex {
    if let opened, !opened.connection.hasMoved { return opened }
    if let passing { return passing }
    opened = nil
    hotVersion = -1
    let path = try placeOfIndex()
    let found = Self.standing(at: path)
    let index: CacheIndex
    do {
      index = try CacheIndex(path: path, patience: patience)
    } catch AudioStoreError.index(let error) where error.kind == .damaged {
      index = try replace(path, found, error)
    }
    if index.isAlone { passing = index } else { opened = index }
    return index
  }

  /// Puts a damaged index aside, and opens a new one; the files are the truth.
  private func replace(
    _ path: String, _ found: FileStatus?, _ error: IndexError
  ) throws -> CacheIndex {
    // Where the directory lets nothing be moved, what is wrong is that the index is damaged.
    guard (try? Self.setAside(path, found: found)) != nil else {
      throw AudioStoreError.index(error)
    }
    let index = try CacheIndex(path: path, patience: patience)
    hasNewIndex = true
    notice(
      "\(path): the cache's index was damaged; it is \(Files.name(of: path)).damaged now, and a new one "
        + "is made from the files")
    return index
  }

  /// Puts a new index in the place of one that opens but is not sound, or is another program's.
  func replaceDamagedIndex() throws {
    opened = nil
    hot.removeAll()
    let path = try placeOfIndex()
    try Self.setAside(path, found: Self.standing(at: path))
    hasNewIndex = true
  }

  func placeOfIndex() throws -> String {
    if let indexPath { return indexPath }
    return try IndexPlace.path(forStore: store.root)
  }
}
