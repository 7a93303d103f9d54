/// The right of this process to download an origin; see ``TrackCache/claim(_:maxAge:lease:)``.
///
/// It ends when the process does, or when it was not renewed within its lease.
public struct DownloadClaim: Hashable, Sendable {
  /// What is to be downloaded.
  public let origin: Origin
  /// The file to write to: it is there when there is something to go on from, else to be made.
  public let partialPath: String
  /// How many bytes of an earlier try it holds, that were written by a process that has ended.
  public let resumeOffset: Int64
  /// What the server said about those bytes, for `If-Range`; without any they must not be gone on from.
  public let resumeValidators: Validators
  /// The track that the origin led to, and by what to ask the server whether it still does; nil where
  /// there is none.
  public let previous: Previous?
  /// How long the claim is good for after it was taken or renewed.
  public let lease: Duration
  let generation: Int64

  /// What an origin led to before.
  public struct Previous: Hashable, Sendable {
    /// The track.
    public let track: CachedTrack
    /// What the server said about it.
    public let validators: Validators
  }
}

/// A download as others see it.
public struct Download: Hashable, Sendable {
  /// How it is going.
  public enum State: Hashable, Sendable {
    /// Somebody is at it.
    case running
    /// Whoever was at it has ended or was not heard of for too long; it is there to be claimed.
    case abandoned
    /// It ended without a track; it is there to be claimed.
    case failed(reason: String)
  }

  /// How it is going.
  public let state: State
  /// The file that it is written to, which may not be there yet, and which grows at its end only.
  public let partialPath: String
  /// How many bytes of it are there.
  public let received: Int64
  /// How many bytes it will have, where the server said so.
  public let expected: Int64?
  /// Whether it may come from a host that is not public.
  public let allowsPrivate: Bool
  let generation: Int64
}

/// What a process that wants an origin is to do.
public enum ClaimResult: Hashable, Sendable {
  /// Nothing: it is there.
  case present(CachedTrack)
  /// Download it.
  case mine(DownloadClaim)
  /// Wait for the one that does, or read along (``TrackFollower``).
  case other(Download)
}
