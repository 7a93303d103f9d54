import Digests
import Platform

/// Reads a track while it is being downloaded, from the first byte to the last.
///
/// ```swift
/// var follower = try TrackFollower(origin, in: cache)
/// loop: while true {
///   switch try follower.next() {
///   case .bytes(let some): play(some)
///   case .waiting: sleep(for: .milliseconds(50))
///   case .end(let track): break loop
///   }
/// }
/// ```
/// The end of the file is not taken for the end of the track: that is what the index says.
public struct TrackFollower: ~Copyable {
  /// What there is to do next.
  public enum Step: Hashable, Sendable {
    /// Take these bytes, which follow those of the step before.
    case bytes([UInt8])
    /// Wait a moment and ask again: the download goes on, but nothing is there yet.
    case waiting(Download)
    /// Stop: that was all of the track.
    case end(CachedTrack)
  }

  /// How many bytes were handed out.
  public private(set) var offset: Int64 = 0
  private let origin: Origin
  private let cache: TrackCache
  private let awaitsSuccessor: Bool
  private let includesPrivate: Bool
  private var file: FileDescriptor?
  /// Of what was handed out; nil after the end.
  private var hasher: SHA256Hasher? = SHA256Hasher()

  /// Begins at the first byte of the track that an origin has, or of its download.
  ///
  /// `awaitingSuccessor`: somebody claims the download if whoever is at it ends without a track, and is
  /// waited for; otherwise that is the end. Unless `includingPrivate`, nothing is read that may come from
  /// a host that is not public.
  public init(
    _ origin: Origin, in cache: TrackCache, awaitingSuccessor: Bool = false,
    includingPrivate: Bool = true
  ) {
    self.origin = origin
    self.cache = cache
    awaitsSuccessor = awaitingSuccessor
    includesPrivate = includingPrivate
  }

  /// The next step; never waits for the download.
  ///
  /// - Throws: `downloadFailed` when there will be no more bytes; `downloadRestarted` when there will be,
  ///   but maybe of something else than those that were handed out.
  public mutating func next(upTo limit: Int = 1 << 18) throws -> Step {
    // Asked before reading: what is read after the end was known is all there is.
    let download = try cache.download(of: origin)
    if let download {
      if download.allowsPrivate && !includesPrivate { return .waiting(download) }
      // Whoever goes on with it does so from these very bytes.
      if awaitsSuccessor && download.state != .running { return .waiting(download) }
    }
    switch download?.state {
    case .running?, nil: break
    case .abandoned?:
      throw AudioStoreError.downloadFailed(origin, reason: "whoever downloaded it has gone")
    case .failed(let reason)?: throw AudioStoreError.downloadFailed(origin, reason: reason)
    }
    if let download { try open(download.partialPath) }
    if let some = try read(upTo: limit) { return .bytes(some) }
    if let download { return .waiting(download) }
    return try stepAfterDownload(upTo: limit)
  }

  private mutating func stepAfterDownload(upTo limit: Int) throws -> Step {
    guard let track = try cache.track(for: origin, includingPrivate: includesPrivate)
    else {
      throw AudioStoreError.downloadFailed(origin, reason: "it is not in the cache")
    }
    if offset == 0, track.file.size > 0 {
      try open(track.file.path)
      if let some = try read(upTo: limit) { return .bytes(some) }
    }
    // Of a download that began anew there may be as many bytes by chance.
    guard offset == track.file.size, hasher.take()?.finish() == track.digest else {
      throw AudioStoreError.downloadRestarted(origin)
    }
    return .end(track)
  }

  /// Opens the file at `path` if it is there, and is not what is open already under another name.
  private mutating func open(_ path: String) throws {
    guard let status = try? FileStatus(path) else { return }
    if let number = file?.rawValue {
      let current = try system { () throws(PlatformError) in try FileStatus(descriptor: number) }
      if current.isSameFile(as: status) { return }
      guard offset == 0 else { throw AudioStoreError.downloadRestarted(origin) }
    }
    do throws(PlatformError) {
      file = try FileDescriptor.open(path, .read)
    } catch {
      // Gone since it was looked at: the next step says why.
      guard error.isNotFound else { throw AudioStoreError.system(error) }
    }
  }

  private mutating func read(upTo limit: Int) throws -> [UInt8]? {
    let result = try readFile(upTo: limit)
    guard case .bytes(let some)? = result else { return nil }
    hasher?.update(some)
    offset += Int64(some.count)
    return some
  }

  private func readFile(upTo limit: Int) throws(AudioStoreError) -> FileDescriptor.ReadResult? {
    do throws(PlatformError) {
      return try file?.read(upTo: limit)
    } catch {
      throw .system(error)
    }
  }
}
