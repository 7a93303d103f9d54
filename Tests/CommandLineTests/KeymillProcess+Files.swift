import Foundation

extension KeymillProcess {
  /// Copies a file into the test's directory, with the directories above it.
  func copy(_ source: String, to name: String) throws {
    let target = directory.appending(path: name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: URL(filePath: source), to: target)
  }

  /// The names in a directory of the test's directory, hidden ones too, in order; none where it is
  /// not there.
  func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
  }

  /// The path of a name in the test's directory as the program sees it.
  func realPath(_ name: String) -> String {
    let base = directory.resolvingSymlinksInPath().path(percentEncoded: false)
    let parts = base.split(separator: "/") + (name.isEmpty ? [] : [Substring(name)])
    return "/" + parts.joined(separator: "/")
  }

  /// The jobs that a command prints as JSON.
  func jobs(_ arguments: String...) throws -> [[String: Any]] {
    try run(arguments).json()["jobs"] as? [[String: Any]] ?? []
  }
}
