public import Digests
public import Platform

/// A track in the store.
public struct StoredTrack: Hashable, Sendable {
  /// The SHA-256 of its bytes, by which it is found.
  public let digest: SHA256Digest

  /// Its file extension without the dot, in lower case.
  public let fileExtension: String

  /// Where it is; readable only, to be linked or read but never written to.
  public let path: String

  /// Its length in bytes.
  public let size: Int64
}

/// What became of a file that was put into the store.
public struct Insertion: Hashable, Sendable {
  /// The track as it is stored.
  public let track: StoredTrack

  /// Whether the store did not have the content before.
  public let isNew: Bool

  /// How the caller's file and the stored one share their bytes; `copy` where they do not, because
  /// they are on different file systems.
  public let sharing: Files.LinkKind
}
