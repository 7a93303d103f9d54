import Foundation
import Testing

/// What a run of `keymill run` with one input has published.
struct RunOutput {
  let directory: URL
  let manifest: [String: Any]

  /// A full path in it.
  func path(_ name: String) -> String {
    directory.appending(path: name).path(percentEncoded: false)
  }

  /// The names in one of its folders, sorted; none where there is no such folder.
  func names(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path(folder))
    return (names ?? []).sorted()
  }

  /// Whether the input was damaged.
  var isPartial: Bool { manifest["partial"] as? Bool ?? false }
  /// What the user is told.
  var warnings: [String] { manifest["warnings"] as? [String] ?? [] }
  /// The section's own entries.
  func section(_ name: String) -> [String: Any] { manifest[name] as? [String: Any] ?? [:] }
  /// The entries of a list, such as `stills` or `files`.
  func list(_ name: String) -> [[String: Any]] { manifest[name] as? [[String: Any]] ?? [] }
}

extension KeymillProcess {
  /// Writes a file into the test's directory.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }

  /// Copies a file into the test's directory.
  @discardableResult
  func copy(_ source: String, as name: String) throws -> String {
    try FileManager.default.copyItem(atPath: source, toPath: path(name))
    return path(name)
  }

  /// Whether a path in the test's directory is there.
  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// What a directory of the test holds beside the test's own dotfiles.
  func published(in name: String = "out") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
  }

  /// Carries a recipe given as text out on one input.
  func run(recipe: String, on input: String, output: String = "out") throws -> Result {
    try write("recipe.json", recipe)
    return try run("run", "recipe.json", "-o", output, "--", input)
  }

  /// Carries a recipe given as text out on one input, and reads what was published.
  func make(recipe: String, of input: String, output: String = "out") throws -> RunOutput {
    let result = try run(recipe: recipe, on: input, output: output)
    try #require(result.exitCode == 0 && !result.isSignal, "\(result.errors)")
    let directory = String(result.output.dropLast())
    let url = URL(filePath: directory, directoryHint: .isDirectory)
    let json = try Data(contentsOf: url.appending(path: "manifest.json"))
    let value = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    return RunOutput(directory: url, manifest: try #require(value))
  }
}
