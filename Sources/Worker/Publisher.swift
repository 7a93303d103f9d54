public import AudioCache
import Digests
public import Platform

/// Makes a finished staging directory the output: all of it at once, or nothing.
public struct Publisher {
  private let cache: AudioStore?

  /// A publisher that also keeps copied tracks in `cache`.
  public init(cache: AudioStore?) { self.cache = cache }

  /// The staging directory of an attempt: beside its output, so that a rename can publish it.
  public static func staging(for output: String, job: Int64, attempt: Int) -> String {
    "\(Files.parent(of: output))/.keymill-\(job)-\(attempt)"
  }

  /// Links copied tracks with the audio cache; comes before ``put(_:at:)``, outside of any lock.
  ///
  /// - Returns: What went wrong, for the log. An output is whole without the cache.
  public func keepTracks(of result: JobResult, in staging: String) -> String? {
    guard let cache else { return nil }
    for track in result.tracks {
      guard let digest = SHA256Digest(hex: track.sha256) else { continue }
      let name = Files.name(of: track.path)
      let fileExtension = name.split(separator: ".").last.map(String.init) ?? "bin"
      do {
        _ = try cache.insert(
          fileAt: "\(staging)/\(track.path)", digest: digest, fileExtension: fileExtension)
      } catch {
        return "the audio cache cannot keep \(name): \(error)"
      }
    }
    return nil
  }

  /// Puts the staging directory in the output's place, in one step for readers.
  ///
  /// - Returns: The older output under its new name, for ``discard(_:)``; nil where there was none.
  public func put(_ staging: String, at output: String) throws -> String? {
    _ = try OutputPlace.owner(of: output)
    switch try Files.install(staging, at: output) {
    case .fresh: return nil
    case .exchanged: return staging
    }
  }

  /// Makes a publication last, and removes the output that it replaced.
  public func settle(_ output: String, replaced: String?) throws(PlatformError) {
    try Files.syncDirectory(Files.parent(of: output))
    if let replaced { try Files.removeTree(replaced) }
  }

  /// Removes what an attempt left, and the directory it made for its output where nothing is in it.
  public func discard(_ staging: String) throws(PlatformError) { try Files.removeTree(staging) }
}
