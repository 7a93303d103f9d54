import Digests
import Platform
import Recipes

/// Which bytes an output is made of: those of the input, and of the pictures that the recipe names.
public struct SourceIdentity: Equatable, Sendable {
  /// The input.
  public let input: InputIdentity
  /// The pictures, in the order of ``Recipe/paths``.
  public let pictures: [InputIdentity]

  /// Reads the sources of a job through; `report` is told as it goes on.
  ///
  /// - Throws: `MediaError` where one cannot be read, or `report` has returned false.
  init(of job: MediaJob, report: @escaping (Progress) -> Bool) throws(MediaError) {
    input = try InputIdentity(of: job.input, source: job.source, report: report)
    var pictures: [InputIdentity] = []
    for path in job.recipe.paths {
      // Of a pipe the bytes come once, and of a device without end.
      if let status = try? FileStatus(path), status.kind != .file {
        throw MediaError(.input, path, "is no file, and a picture is needed")
      }
      pictures.append(try InputIdentity(of: path, report: report))
    }
    self.pictures = pictures
  }

  /// What made the output, with all that it depends on besides the input and the recipe's text: where
  /// it is the same, so is what is made.
  public var engine: String {
    guard !pictures.isEmpty else { return Engine.identity }
    let digest = SHA256Digest(of: pictures.map(\.sha256.hex).joined(separator: " "))
    return "\(Engine.identity), pictures \(digest.hex)"
  }

  /// Refuses to take sources for what was read that were written to meanwhile.
  func checkStillHolds(for path: String) throws {
    let files = [(path, input)] + pictures.map { ($0.path, $0) }
    for (path, file) in files where try !file.stillHolds(for: path) {
      throw MediaError(.io, path, "was changed while it was read; try again once it is complete")
    }
  }
}
