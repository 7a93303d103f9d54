import AudioCache
import Digests
import FoundationEssentials

/// A track of the cache as keymill shows it to programs.
struct CacheTrackJSON: Encodable {
  let digest: String
  let path: String
  let format: String
  let size: Int64
  let cost: Int64
  let storedAt: String
  let usedAt: String
  let expiresAt: String?
  let origins: [CacheOriginJSON]

  /// Shows a track with what leads to it.
  init(_ track: CachedTrack, in cache: TrackCache) throws {
    digest = track.digest.hex
    path = track.file.path
    format = track.file.fileExtension
    size = track.file.size
    cost = track.cost
    storedAt = track.storedAt.formatted(.iso8601)
    usedAt = track.usedAt.formatted(.iso8601)
    expiresAt = track.expiresAt?.formatted(.iso8601)
    origins = try cache.origins(of: track).map(CacheOriginJSON.init)
  }
}

/// What leads to a track.
struct CacheOriginJSON: Encodable {
  let kind: String
  let location: String
  let etag: String?
  let lastModified: String?
  let checkedAt: String

  /// Shows an origin.
  init(_ known: KnownOrigin) {
    kind =
      switch known.origin.kind {
      case .url: "url"
      case .file: "file"
      case .derived: "derived"
      }
    location = known.origin.location
    etag = known.validators.etag
    lastModified = known.validators.lastModified
    checkedAt = known.checkedAt.formatted(.iso8601)
  }
}
