import AudioCache
import Commands
import Digests
import Platform
import Recipes
import Worker

/// What a command line calls a track: a URL, a local file, or the SHA-256 or the beginning of it.
struct CacheSelection {
  /// The words of the command line.
  let text: String
  /// Where it comes from; nil where a digest names it.
  let origin: Origin?
  private let validators: Validators

  /// Reads what the command line says; a file that is there goes before a digest of the same name.
  init(_ text: String) throws {
    guard !text.isEmpty else {
      throw UsageError("a track is called by a URL, a file or its SHA-256")
    }
    let name = InputName(text)
    // What is in messages must not have a password in it, and the cache does not know any.
    self.text = name.shown
    if name.isURL {
      (origin, validators) = (.url(name.shown), Validators())
    } else if let status = try? FileStatus(text) {
      (origin, validators) = (.file(try Files.absolutePath(text)), Validators(status))
    } else if Self.isDigits(text) {
      (origin, validators) = (nil, Validators())
    } else if let scheme = InputName.scheme(of: text) {
      throw InputError.notFetched(text, scheme)
    } else {
      // It may be gone, and its track may be there.
      (origin, validators) = (.file(try Files.absolutePath(text)), Validators())
    }
  }

  /// The track, if the cache has it.
  func find(in cache: TrackCache) throws -> CachedTrack? {
    if let origin {
      return try cache.track(for: origin, validators: validators)
        ?? madeTrack(of: origin, in: cache)
    }
    let digests = try cache.store.digests(beginningWith: text.lowercased())
    guard digests.count < 2 else {
      throw UsageError("\(text): \(digests.count) tracks begin so; give more digits")
    }
    return try digests.first.flatMap { try cache.track($0) }
  }

  /// What a job has kept of a local file: itself, where it is nothing but a track, or else its first
  /// track; found by the file's content, which is read for that.
  private func madeTrack(of origin: Origin, in cache: TrackCache) throws -> CachedTrack? {
    guard origin.kind == .file, (try? FileStatus(cache.store.root)) != nil,
      (try? FileStatus(origin.location))?.kind == .file
    else { return nil }
    let digest = try SHA256Digest(ofFileAt: origin.location)
    return try cache.track(digest) ?? cache.track(for: .copy(ofTrack: 1, of: digest))
  }

  /// The track.
  ///
  /// - Throws: `InputError` where the cache does not have it.
  func require(in cache: TrackCache) throws -> CachedTrack {
    if let track = try find(in: cache) { return track }
    let isShort = origin?.kind == .file && text.utf8.count < Self.fewestDigits && Self.isHex(text)
    let advice = isShort ? "; a SHA-256 needs its first \(Self.fewestDigits) digits at least" : ""
    throw InputError(description: "\(text): not in the cache\(advice)", exitCode: .noInput)
  }

  /// As many digits as `cache list` shows, or more, but no word.
  private static func isDigits(_ text: String) -> Bool {
    (fewestDigits...64).contains(text.utf8.count) && isHex(text)
  }

  private static func isHex(_ text: String) -> Bool {
    text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  private static let fewestDigits = 8
}
