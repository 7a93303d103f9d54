public import Digests
public import Platform

/// What a track in the cache was made of: the name under which it is asked for again.
public struct Origin: Hashable, Sendable {
  /// The kinds of origin; the numbers are stored.
  public enum Kind: Int, Hashable, Sendable {
    /// A download.
    case url = 1
    /// A file of this machine.
    case file = 2
    /// Another content, and what was done to it.
    case derived = 3
  }

  /// What kind it is.
  public let kind: Kind
  /// The URL, the absolute path, or the digest and the settings with a space between.
  public let location: String

  private init(kind: Kind, location: String) {
    self.kind = kind
    self.location = location
  }

  /// A download, by its URL as it was asked for; URLs are compared byte by byte.
  public static func url(_ text: String) -> Origin { Origin(kind: .url, location: text) }

  /// A local file, by its absolute path without `..`; see `Files.absolutePath`.
  public static func file(_ path: String) -> Origin { Origin(kind: .file, location: path) }

  /// What is made of a content by settings, which are best written in one canonical form, with the
  /// version of what makes it.
  public static func derived(from content: SHA256Digest, settings: String) -> Origin {
    Origin(kind: .derived, location: "\(content.hex) \(settings)")
  }

  /// The origin that the index stores so; nil for a kind that is unknown here.
  init?(kind: Int, location: String) {
    guard let kind = Kind(rawValue: kind) else { return nil }
    self.init(kind: kind, location: location)
  }

  /// The SHA-256 of the kind and the location, by which the index finds it.
  var key: SHA256Digest { SHA256Digest(of: "\(kind.rawValue) \(location)") }
}

/// What tells whether an origin has changed since a track was made of it.
public struct Validators: Hashable, Sendable {
  /// The `ETag` of a download, as the server wrote it.
  public var etag: String?
  /// The `Last-Modified` of a download, as the server wrote it.
  public var lastModified: String?
  /// The size of a file in bytes.
  public var size: Int64?
  /// When a file's content last changed, in nanoseconds since 1970 UTC.
  public var modifiedNanoseconds: Int64?
  /// A file's number on its file system.
  public var inode: UInt64?

  /// Those of a download; none where the server sent none.
  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }

  /// Those of a local file.
  public init(_ status: FileStatus) {
    size = status.size
    modifiedNanoseconds = status.modifiedNanoseconds
    inode = status.inode
  }

  /// Whether all that is known here is the same there.
  func agree(with other: Validators) -> Bool {
    (etag == nil || etag == other.etag)
      && (lastModified == nil || lastModified == other.lastModified)
      && (size == nil || size == other.size)
      && (modifiedNanoseconds == nil || modifiedNanoseconds == other.modifiedNanoseconds)
      && (inode == nil || inode == other.inode)
  }
}
