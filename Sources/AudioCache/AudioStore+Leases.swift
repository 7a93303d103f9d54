import Digests
import Platform
import Synchronization

/// The right to a track that must stay in the store, for as long as this value lives.
///
/// It is a file in the store's `leases`, named by the track and by this process, so that every machine
/// that shares the store sees it. It ends with `release()`, with the value, with the process, and, for
/// those who cannot see the process, ten minutes after it was last renewed. Where this user may only read
/// the store there is no file, and nothing keeps others from removing the track.
public final class TrackLease: Sendable {
  /// What stays.
  public let track: StoredTrack
  private let path: String?

  init(_ track: StoredTrack, path: String?) {
    self.track = track
    self.path = path
  }

  deinit { try? release() }

  /// Prolongs the lease for other machines and containers; to be called every few minutes.
  public func renew() throws(AudioStoreError) {
    guard let path else { return }
    try system { () throws(PlatformError) in try AudioStore.writeMark(path) }
  }

  /// Ends the lease; calling it again does nothing.
  public func release() throws(AudioStoreError) {
    guard let path else { return }
    try system { () throws(PlatformError) in try Files.removeFile(path) }
  }
}

extension AudioStore {
  /// Where the files of leases are.
  var leases: String { root + "/leases" }

  /// How long a lease counts whose process cannot be seen, after it was renewed, in milliseconds.
  private static let leaseTermMS: Int64 = 600_000

  /// Makes a lease; the caller sees to it that nobody removes the track meanwhile.
  func makeLease(_ track: StoredTrack) throws(AudioStoreError) -> TrackLease {
    if isReadOnly { return TrackLease(track, path: nil) }
    return try system { () throws(PlatformError) in
      try Files.makeDirectory(leases, permissions: 0o700)
      let number = leaseNumbers.wrappingAdd(1, ordering: .relaxed).newValue
      let path = "\(leases)/\(track.digest.hex)#\(try StoreUser.current)#\(number)"
      try Self.writeMark(path)
      return TrackLease(track, path: path)
    }
  }

  /// The contents that are leased; removes the leases that are over.
  func leasedContents(nowMS: Int64) throws(AudioStoreError) -> Set<SHA256Digest> {
    let names = try names(in: leases)
    guard !names.isEmpty else { return [] }
    var leased: Set<SHA256Digest> = []
    try system { () throws(PlatformError) in
      let observer = try StoreUser.current
      for name in names {
        let parts = name.split(separator: "#")
        guard parts.count == 3, let digest = SHA256Digest(hex: String(parts[0])),
          let user = StoreUser(String(parts[1]))
        else { continue }
        let path = leases + "/" + name
        if try Self.isOver(path, of: user, seenBy: observer, term: Self.leaseTermMS, nowMS) {
          _ = try Self.removeIfAllowed(path)
        } else {
          leased.insert(digest)
        }
      }
    }
    return leased
  }

  /// Whether a process is done with a file that it made: because it has ended or, where that cannot be
  /// seen, because it has not written to the file for `term` milliseconds.
  static func isOver(
    _ path: String, of user: StoreUser, seenBy observer: StoreUser, term: Int64, _ nowMS: Int64
  ) throws(PlatformError) -> Bool {
    switch try user.standing(seenBy: observer) {
    case .alive: return false
    case .ended: return true
    case .unknown:
      // Gone meanwhile is over as well.
      guard let status = try? FileStatus(path, followingLinks: false) else { return true }
      return nowMS - status.modifiedNanoseconds / 1_000_000 > term
    }
  }

  /// Removes what was left behind, unless this user may not: somebody else will.
  ///
  /// - Returns: Whether it is gone.
  static func removeIfAllowed(_ path: String) throws(PlatformError) -> Bool {
    do throws(PlatformError) {
      try Files.removeFile(path)
      return true
    } catch {
      guard error.isPermission else { throw error }
      return false
    }
  }

  /// Makes a file of one byte, or writes it again, which sets the time of its last change.
  fileprivate static func writeMark(_ path: String) throws(PlatformError) {
    let file = try FileDescriptor.open(path, .write, permissions: 0o600)
    do throws(PlatformError) {
      try file.writeAll("\n")
    } catch {
      // The number of a descriptor helps nobody.
      throw PlatformError(code: error.code, call: error.call, subject: path)
    }
  }
}

/// How many leases this process has made.
private let leaseNumbers = Atomic<UInt64>(0)
