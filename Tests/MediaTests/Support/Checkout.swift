import Foundation

/// Where the repository's own files lie.
enum Checkout {
  private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The checkout itself.
  static var root: String { directory.path(percentEncoded: false) }

  /// A file of `samples/`.
  static func sample(_ name: String) -> String {
    directory.appending(path: "samples/\(name)").path(percentEncoded: false)
  }

  /// The text of a recipe in `jobs/`.
  static func recipe(_ name: String) throws -> String {
    try String(contentsOf: directory.appending(path: "jobs/\(name).json"), encoding: .utf8)
  }
}
