public import Digests
public import struct FoundationEssentials.Date
import Platform

/// An entry of the cache: a stored track, and what the index knows about it.
public struct CachedTrack: Hashable, Sendable {
  /// The file and its digest.
  public let file: StoredTrack
  /// What it counts for against the limit of cost.
  public let cost: Int64
  /// When it was stored.
  public let storedAt: Date
  /// When it was last asked for, to about a minute.
  public let usedAt: Date
  /// Until when it may be used; nil for ever.
  public let expiresAt: Date?
  /// Whether nothing was made of it yet since it was downloaded; see ``TrackCache/accept(_:)``.
  public let isOnTrial: Bool
  /// Its number in the index.
  let id: Int64

  /// The SHA-256 of its bytes.
  public var digest: SHA256Digest { file.digest }
}

/// An origin that the index knows, and when it was last known to be so.
public struct KnownOrigin: Hashable, Sendable {
  /// The origin.
  public let origin: Origin
  /// By what its changes are told.
  public let validators: Validators
  /// When the origin was last known to have this content.
  public let checkedAt: Date
}

/// How much is in a cache, and how it is used.
public struct CacheStatistics: Hashable, Sendable {
  /// How many tracks the index knows.
  public let entries: Int
  /// How many bytes they have together.
  public let bytes: Int64
  /// What they cost together.
  public let cost: Int64
  /// How many origins lead to them.
  public let origins: Int
  /// How many downloads are claimed now.
  public let downloads: Int
  /// How many tracks are leased now.
  public let leased: Int
  /// How often a track was asked for and found, to about a minute.
  public let hits: Int64
  /// How often a track was asked for and not found, to about a minute.
  public let misses: Int64
  /// The bytes that are free on the store's file system.
  public let freeBytes: Int64
}
