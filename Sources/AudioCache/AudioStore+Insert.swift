public import Digests
import Platform
import Synchronization

extension AudioStore {
  /// Puts a finished file's content into the store, and lets the file share its bytes with it.
  ///
  /// Where the content is there already, the caller's file is replaced in one step by a link to the
  /// stored one, which is read before: bit rot must not spread. A stored file that is damaged gives way
  /// to the caller's, if that is what it is said to be. A content keeps the extension that it was first
  /// stored with.
  ///
  /// The file stays whole at its path whatever happens. If it ends up hard linked its mode is 0444.
  ///
  /// - Parameters:
  ///   - path: The file; nobody may be writing to it.
  ///   - digest: Its SHA-256 where the caller has computed it. It is believed: do not pass what an
  ///     untrusted process claims. `nil` to have it computed, in one pass over the file.
  ///   - fileExtension: The extension that goes with its format, without a dot.
  /// - Returns: The track as it is stored, and how the file shares its bytes.
  /// - Throws: `AudioStoreError`; `wrongContent` only where a digest was passed and found wrong.
  public func insert(
    fileAt path: String, digest: SHA256Digest? = nil, fileExtension: String
  ) throws(AudioStoreError) -> Insertion {
    guard Self.isExtension(fileExtension) else { throw .badExtension(fileExtension) }
    let status = try system { () throws(PlatformError) in
      try FileStatus(path, followingLinks: false)
    }
    guard status.kind == .file else { throw .notAFile(path: path) }

    let content = if let digest { digest } else { try contentDigest(ofFileAt: path) }
    let stored = try lookup(content)
    if let stored {
      if try isSound(stored, status), let sharing = try share(stored, with: path, status) {
        return Insertion(track: stored, isNew: false, sharing: sharing)
      }
      try check(fileAt: path, is: content)
    }
    // Over the damaged one, in one step: it may be another by now, and be leased.
    let name = stored?.fileExtension ?? fileExtension.lowercased()
    let target = self.path(of: content, fileExtension: name)
    let sharing = try add(path, as: target)
    let track = StoredTrack(
      digest: content, fileExtension: name, path: target, size: status.size)
    return Insertion(track: track, isNew: true, sharing: sharing)
  }

  /// Removes what processes that have ended left in `incoming`.
  ///
  /// What a process of another machine brings is left alone for an hour after its last change.
  ///
  /// - Returns: How many files it removed.
  @discardableResult
  public func sweep() throws(AudioStoreError) -> Int {
    let names = try names(in: incoming)
    guard !names.isEmpty else { return 0 }
    let nowMS = CacheClock.system.wallMS()
    var removed = 0
    try system { () throws(PlatformError) in
      let observer = try StoreUser.current
      for name in names {
        let path = incoming + "/" + name
        guard let owner = name.split(separator: "#").first.flatMap({ StoreUser(String($0)) }),
          try Self.isOver(path, of: owner, seenBy: observer, term: Self.arrivalTermMS, nowMS)
        else { continue }
        removed += try Self.removeIfAllowed(path) ? 1 : 0
      }
    }
    return removed
  }

  /// Removes the second name that a process which has ended was about to put in the place of the file
  /// beside it.
  ///
  /// - Returns: Whether it did.
  func removeTemporary(_ path: String, _ nowMS: Int64) throws(AudioStoreError) -> Bool {
    let name = Files.name(of: path).dropFirst(Self.temporaryPrefix.count)
    guard let owner = name.split(separator: "#").first.flatMap({ StoreUser(String($0)) }) else {
      return false
    }
    return try system { () throws(PlatformError) in
      let observer = try StoreUser.current
      guard try Self.isOver(path, of: owner, seenBy: observer, term: Self.arrivalTermMS, nowMS)
      else { return false }
      return try Self.removeIfAllowed(path)
    }
  }

  /// What the names of files begin with that are about to replace another beside them.
  static let temporaryPrefix = ".keymill-"

  /// How long a file on its way in may stand still whose maker cannot be seen, in milliseconds.
  private static let arrivalTermMS: Int64 = 3_600_000

  private func add(_ path: String, as target: String) throws(AudioStoreError) -> Files.LinkKind {
    try system { () throws(PlatformError) in
      try Files.makeDirectory(incoming, permissions: 0o700)
      try Files.makeDirectory(Files.parent(of: target), permissions: 0o700)
      let temporary = incoming + "/" + (try Self.temporaryName())
      // Also after a rename, which leaves both names where they are of one file already.
      defer { try? Files.removeFile(temporary) }
      let sharing = try Files.linkOrClone(path, to: temporary)
      try Files.setPermissions(temporary, 0o444)
      // Before it has its name, so that the name cannot outlive a loss of power without the bytes.
      try Files.syncFile(temporary)
      try Files.rename(temporary, to: target)
      return sharing
    }
  }

  /// Whether a stored track has the content of its name; what is the caller's file itself is not asked.
  private func isSound(
    _ track: StoredTrack, _ status: FileStatus
  ) throws(AudioStoreError) -> Bool {
    guard track.size == status.size else { return false }
    let stored = try? FileStatus(track.path, followingLinks: false)
    if let stored, stored.isSameFile(as: status) { return true }
    do throws(AudioStoreError) {
      return try contentDigest(ofFileAt: track.path) == track.digest
    } catch {
      // Unreadable, or removed meanwhile.
      return false
    }
  }

  /// Replaces the file at `path` by a link to a stored track.
  ///
  /// - Returns: How they share their bytes, or `nil` where the track has been removed meanwhile.
  private func share(
    _ track: StoredTrack, with path: String, _ status: FileStatus
  ) throws(AudioStoreError) -> Files.LinkKind? {
    do throws(PlatformError) {
      let stored = try FileStatus(track.path, followingLinks: false)
      if stored.isSameFile(as: status) { return .hardLink }
      guard stored.device == status.device else { return .copy }
      let temporary =
        Files.parent(of: path) + "/" + Self.temporaryPrefix + (try Self.temporaryName())
      defer { try? Files.removeFile(temporary) }
      let sharing = try Files.linkOrClone(track.path, to: temporary)
      if sharing == .copy { return .copy }
      if sharing == .reflink {
        try Files.setPermissions(temporary, status.permissions)
        try Files.syncFile(temporary)
      }
      try Files.rename(temporary, to: path)
      return sharing
    } catch {
      guard error.code == .notFound else { throw .system(error) }
      return nil
    }
  }

  private func check(
    fileAt path: String, is expected: SHA256Digest
  ) throws(AudioStoreError) {
    let actual = try contentDigest(ofFileAt: path)
    guard actual == expected else {
      throw .wrongContent(path: path, expected: expected, actual: actual)
    }
  }

  /// A name that no other file has, and that tells whether its maker still runs.
  static func temporaryName() throws(PlatformError) -> String {
    let number = temporaries.wrappingAdd(1, ordering: .relaxed).newValue
    return "\(try StoreUser.current)#\(number)"
  }
}

/// How many temporary files this process has made.
private let temporaries = Atomic<UInt64>(0)
