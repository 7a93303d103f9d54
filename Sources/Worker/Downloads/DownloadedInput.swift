public import AudioCache
import Fetch
import Recipes

/// A downloaded file, which stays where it is for as long as this value lives.
public struct DownloadedInput: Sendable {
  /// The file.
  public let track: CachedTrack
  /// What keeps it.
  let lease: TrackLease

  /// Its path.
  public var path: String { track.file.path }

  /// Lets it stay in the cache; without this it goes within the hour, since most of what no job can be
  /// carried out on is wanted by nobody.
  public func accept(in cache: TrackCache) throws { try cache.accept(track) }

  /// Takes a track, if it is still there.
  init?(_ track: CachedTrack, in cache: TrackCache) throws {
    guard let lease = try cache.lease(track) else { return nil }
    self.track = track
    self.lease = lease
  }
}

/// How a download goes on.
public enum DownloadNews: Hashable, Sendable {
  /// So many bytes are there, of so many if the server said so.
  ///
  /// Comes first when the download has begun, here or in another process, and can be followed
  /// (`TrackFollower`).
  case progress(received: Int64, total: Int64?)
  /// Nothing will come for so long, between two tries.
  case pausing(Duration)
}

/// A download was called off.
public struct DownloadCancelled: Error, Sendable, CustomStringConvertible {
  /// What was to be downloaded, without password.
  public let url: String

  /// An error about a URL as it is shown.
  public init(url: String) { self.url = url }

  /// What has become of it, for people.
  public var description: String { "\(url): interrupted; what came is kept to go on from" }
}

extension HTTPValidators {
  /// Those of a download that the cache knows.
  init(_ validators: Validators) {
    self.init(etag: validators.etag, lastModified: validators.lastModified)
  }
}

extension Validators {
  /// Those of a download, for the cache.
  init(_ validators: HTTPValidators) {
    self.init(etag: validators.etag, lastModified: validators.lastModified)
  }
}

extension FetchedFile {
  /// The extension that the file gets in the cache: that of the URL, or else one for what the server
  /// says it is.
  func fileExtension(for url: InputName) -> String {
    url.fileExtension ?? InputName(self.url).fileExtension ?? typeExtension ?? "bin"
  }

  private var typeExtension: String? {
    let name = type?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? ""
    return Self.extensions[name]
  }

  /// Media types that servers name (IANA's registry, and what browsers take), with the usual extension.
  private static let extensions = [
    "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/x-m4a": "m4a", "audio/aac": "aac",
    "audio/ogg": "ogg", "application/ogg": "ogg", "audio/opus": "opus", "audio/flac": "flac",
    "audio/x-flac": "flac", "audio/wav": "wav", "audio/x-wav": "wav", "audio/webm": "webm",
    "video/mp4": "mp4", "video/quicktime": "mov", "video/webm": "webm", "video/x-matroska": "mkv",
    "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif",
  ]
}
