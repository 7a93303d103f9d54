public import Digests
import Glibc
public import Platform

/// A content-addressed store of audio tracks: each content is kept once, under its SHA-256.
///
/// ```
/// root/ab/abcdef….m4a     a track, in the shard of its first two digits
/// root/incoming/…         files on their way in, named by the process that brings them
/// root/partial/…          downloads that go on, or may be gone on with (``TrackCache``)
/// root/leases/…           who needs which track to stay (``TrackLease``)
/// root/index.db           what is known about the tracks (``TrackCache``)
/// ```
/// A track is whole or absent: it is made in `incoming`, synced, and renamed into its shard. After a
/// loss of power a name may be missing, which costs a cache entry; a name never leads to wrong bytes.
/// Any number of threads and processes may use a store at once, without locks: two that bring the
/// same content make the same file, and the later rename changes nothing that can be seen.
///
/// Outputs share their bytes with the store. A reflink is best, as either side may then be changed
/// without harm to the other. Where the file system has none it is a hard link, and a program that
/// edits the output in place would corrupt the cache; so the file both names lead to has mode 0444,
/// and such a program fails to open it. Those that replace the file, as most do, work unchanged.
public struct AudioStore: Hashable, Sendable {
  /// The directory of the store.
  ///
  /// It is made, with mode 0700, when something is first put in.
  public let root: String

  /// Opens the store in a directory, which need not exist.
  public init(root: String) { self.root = root }

  /// Whether the directory of the store is there yet.
  ///
  /// - Throws: `system` where something else is in its place, or it cannot be reached.
  public func exists() throws(AudioStoreError) -> Bool {
    do throws(PlatformError) {
      guard try FileStatus(root).kind == .directory else {
        throw PlatformError(code: .notDirectory, call: "stat", subject: root)
      }
      return true
    } catch {
      guard error.code == .notFound else { throw .system(error) }
      return false
    }
  }

  /// Whether the directory is there and this user may not write to it.
  public var isReadOnly: Bool { unsafe access(root, W_OK) != 0 && [EACCES, EROFS].contains(errno) }

  /// The user's store: `$KEYMILL_CACHE`, else `keymill/audio` in the XDG cache directory.
  public static func defaultRoot(
    environment: [String: String] = Environment.current
  ) -> String {
    if let root = environment["KEYMILL_CACHE"], !root.isEmpty { return root }
    return BaseDirectories(environment: environment).cacheHome + "/keymill/audio"
  }

  /// The track with this content, or `nil` where the store does not have it.
  ///
  /// Reads the names of one shard, which holds a 256th of the store.
  public func lookup(_ digest: SHA256Digest) throws(AudioStoreError) -> StoredTrack? {
    let shard = shard(of: digest)
    let wanted = digest.hex + "."
    for name in try names(in: shard).filter({ $0.hasPrefix(wanted) }).sorted() {
      if let track = try track(named: name, in: shard) { return track }
    }
    return nil
  }

  /// The contents whose digests begin with some digits, at least two of them, in lower case.
  public func digests(
    beginningWith digits: String
  ) throws(AudioStoreError) -> [SHA256Digest] {
    precondition(digits.utf8.count >= 2, "the first two digits name the shard")
    let shard = root + "/" + digits.prefix(2)
    var digests: Set<SHA256Digest> = []
    for name in try names(in: shard) where name.hasPrefix(digits) {
      if let track = try track(named: name, in: shard) { digests.insert(track.digest) }
    }
    return digests.sorted { $0.hex < $1.hex }
  }

  /// All tracks, in the order of their digests.
  public func tracks() throws(AudioStoreError) -> [StoredTrack] {
    var tracks: [StoredTrack] = []
    for shard in try shards() {
      for name in try names(in: shard).sorted() {
        if let track = try track(named: name, in: shard) { tracks.append(track) }
      }
    }
    return tracks
  }

  /// Takes the track with this content out of the store; outputs that share its bytes keep them.
  ///
  /// - Returns: Whether the store had it.
  @discardableResult
  public func remove(_ digest: SHA256Digest) throws(AudioStoreError) -> Bool {
    var had = false
    while let track = try lookup(digest) {
      try system { () throws(PlatformError) in try Files.removeFile(track.path) }
      had = true
    }
    return had
  }
}

// MARK: - Layout

extension AudioStore {
  /// Where files are made before they have their name.
  var incoming: String { root + "/incoming" }

  /// The directory that a content belongs in.
  func shard(of digest: SHA256Digest) -> String { root + "/" + digest.hex.prefix(2) }

  /// Where a track is kept.
  func path(of digest: SHA256Digest, fileExtension: String) -> String {
    let hex = digest.hex
    return "\(root)/\(hex.prefix(2))/\(hex).\(fileExtension)"
  }

  /// The shards there are, in order.
  func shards() throws(AudioStoreError) -> [String] {
    try names(in: root).filter {
      $0.utf8.count == 2 && $0.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }.sorted()
      .map { root + "/" + $0 }
  }

  /// The names in a directory of the store; none where it does not exist.
  func names(in directory: String) throws(AudioStoreError) -> [String] {
    do throws(PlatformError) {
      return try Files.list(directory)
    } catch {
      guard error.code == .notFound else { throw .system(error) }
      return []
    }
  }

  /// The track that `name` in `shard` stands for.
  ///
  /// `nil` where it is no name of a track there, no file, or has been removed meanwhile.
  func track(named name: String, in shard: String) throws(AudioStoreError) -> StoredTrack? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let digest = SHA256Digest(hex: String(parts[0])),
      name.hasPrefix(digest.hex), self.shard(of: digest) == shard,
      Self.isExtension(String(parts[1]))
    else { return nil }
    let path = shard + "/" + name
    do throws(PlatformError) {
      let status = try FileStatus(path, followingLinks: false)
      guard status.kind == .file else { return nil }
      return StoredTrack(
        digest: digest, fileExtension: String(parts[1]), path: path, size: status.size)
    } catch {
      guard error.code == .notFound else { throw .system(error) }
      return nil
    }
  }

  static func isExtension(_ name: String) -> Bool {
    (1...16).contains(name.utf8.count)
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
