/// What to download, where to, and within which bounds; one JSON document on the standard input of a
/// fetch process.
public struct FetchRequest: Codable, Sendable {
  /// The URL: `http` or `https`, with user and password if need be.
  public var url: String
  /// The file to write, in an existing directory.
  ///
  /// It grows at its end only and may be read along; see ``FetchEvent/began(offset:total:validators:)``.
  /// Its directory is the only one that the process can write to.
  public var path: String
  /// What the bytes that are in the file are the beginning of, as ``FetchEvent`` told when they came.
  ///
  /// The download goes on from there if the server still has the same. `nil`, or without any validator:
  /// what is there is replaced.
  public var resumeValidators: HTTPValidators?
  /// What the server said about a copy that is there already: where that is still current, nothing is
  /// downloaded.
  public var validators: HTTPValidators?
  /// Whether hosts with private, loopback and other special addresses may be asked.
  public var allowsPrivate = false
  /// A proxy's URL; `nil` for none, whatever the environment says.
  ///
  /// A proxy finds the hosts itself: what a name leads to is then for the proxy to judge, and only
  /// addresses written in URLs are judged here.
  public var proxy: String?
  /// A PEM file of certificates to trust instead of the system's.
  public var certificates: String?
  /// The bounds.
  public var limits = FetchLimits()
  /// The process that ends this one with it; 0 for none.
  public var parent: Int32 = 0

  /// A request within the usual bounds, for public hosts only.
  public init(url: String, path: String) {
    self.url = url
    self.path = path
  }
}

extension FetchRequest {
  /// Looks whether a text is a URL that can be fetched, as far as that shows without asking anybody.
  /// - Throws: `badURL`.
  public static func check(url: String) throws(FetchError) { _ = try RemoteURL(url) }
}

/// How long, how large and how often.
public struct FetchLimits: Codable, Hashable, Sendable {
  /// The largest file, in bytes.
  public var maxBytes: Int64 = 4 << 30
  /// All tries and waits together.
  public var total: Duration = .seconds(3600)
  /// To find the host and reach it.
  public var connect: Duration = .seconds(20)
  /// How long a server may send less than ``minSpeed``, or nothing at all.
  public var stall: Duration = .seconds(30)
  /// The speed below which a connection counts as stalled, in bytes a second.
  public var minSpeed: Int64 = 256
  /// Redirects in a row.
  public var redirects = 10
  /// Tries in a row that bring nothing new.
  public var attempts = 5
  /// The wait after the first of them; doubled after each further one.
  public var firstDelay: Duration = .seconds(1)
  /// The longest wait, also where the server asks for more.
  public var longestDelay: Duration = .seconds(120)

  /// The usual bounds.
  public init() {}
}

/// What a server calls one state of a resource by (RFC 9110, section 8.8).
public struct HTTPValidators: Codable, Hashable, Sendable {
  /// The `ETag` field, quotes included.
  public var etag: String?
  /// The `Last-Modified` field.
  public var lastModified: String?

  /// Whether there is nothing to ask by.
  public var isEmpty: Bool { etag == nil && lastModified == nil }

  /// Takes what a server said.
  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }
}
