import Foundation

/// Where the repository's own files lie.
enum Checkout {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file of `samples/`.
  static func sample(_ name: String) -> String {
    root.appending(path: "samples/\(name)").path(percentEncoded: false)
  }

  /// The text of a recipe in `jobs/`.
  static func recipe(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: "jobs/\(name).json"), encoding: .utf8)
  }
}
