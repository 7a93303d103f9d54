import AudioCache
import Commands
import Digests
import Platform
import Recipes

/// What a command line calls a track: a URL, a local file, or the SHA-256 or the beginning of it.
struct CacheSelection {
  /// The words of the command line.
  let text: String
  /// Where it comes from; nil where a digest names it.
  let origin: Origin?
  private let validators: Validators

  /// Reads what the command line says; a file that is there goes before a digest of the same name.
  init(_ text: String) throws {
    let name = InputName(text)
    // What is in messages must not have a password in it, and the cache does not know any.
    self.text = name.shown
    if name.isURL {
      (origin, validators) = (.url(name.shown), Validators())
    } else if let status = try? FileStatus(text) {
      (origin, validators) = (.file(try Files.absolutePath(text)), Validators(status))
    } else if Self.isDigits(text) {
      (origin, validators) = (nil, Validators())
    } else {
      // It may be gone, and its track may be there.
      (origin, validators) = (.file(try Files.absolutePath(text)), Validators())
    }
  }

  /// The track, if the cache has it.
  func find(in cache: TrackCache) throws -> CachedTrack? {
    if let origin { return try cache.track(for: origin, validators: validators) }
    let digests = try cache.store.digests(beginningWith: text.lowercased())
    guard digests.count < 2 else {
      throw UsageError("\(text): \(digests.count) tracks begin so; give more digits")
    }
    return try digests.first.flatMap { try cache.track($0) }
  }

  /// The track.
  ///
  /// - Throws: `InputError` where the cache does not have it.
  func require(in cache: TrackCache) throws -> CachedTrack {
    guard let track = try find(in: cache) else {
      throw InputError(description: "\(text): not in the cache", exitCode: .noInput)
    }
    return track
  }

  /// As many digits as `cache list` shows, or more, but no word.
  private static func isDigits(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
