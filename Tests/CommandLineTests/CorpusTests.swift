import Foundation
import TestSupport
import Testing

/// Every file of the shared corpus through one recipe: it ends as its manifest expects, and nothing
/// crashes.
@Suite(.enabled(if: SharedFiles.areHere, SharedFiles.absence)) final class CorpusTests {
  private let keymill: KeymillProcess

  init() throws { keymill = try KeymillProcess() }

  deinit { keymill.cleanUp() }

  /// Above this many pixels a clip is keyed at a small size: a debug build would take minutes.
  private static let mostPixels = 4_000_000

  @Test(arguments: CorpusEntry.all)
  func `a file ends as it is expected to`(entry: CorpusEntry) throws {
    let size = entry.pixelCount > Self.mostPixels ? "64x36" : nil
    let result = try keymill.run(recipe: recipe(size), on: SharedFiles.media(entry.file))
    try #require(!result.isSignal && result.exitCode < 70, "\(result.reason)")
    switch entry.expect {
    case .decodes:
      try #require(result.exitCode == 0, "\(result.reason)")
      try expectAll(of: entry)
    case .partial where result.exitCode == 0:
      let output = try output()
      #expect(output.isPartial)
      #expect(!output.warnings.isEmpty)
    case .partial, .rejects:
      expectRefusal(result)
    }
  }

  private func recipe(_ size: String?) -> String {
    let size = size.map { "\"\($0)\"" } ?? "null"
    return """
      {
        "key": {"color": "auto", "mode": "gpuimage", "formats": ["mask"], "size": \(size),
          "optional": true},
        "audio": {"formats": ["wav"], "optional": true},
        "stills": {"at": ["50%"], "optional": true}
      }
      """
  }

  private func output() throws -> RunOutput {
    let name = try #require(keymill.published().first)
    #expect(keymill.published() == [name])
    let url = keymill.directory.appending(path: "out/\(name)", directoryHint: .isDirectory)
    let json = try Data(contentsOf: url.appending(path: "manifest.json"))
    let value = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    return RunOutput(directory: url, manifest: try #require(value))
  }

  private func expectAll(of entry: CorpusEntry) throws {
    let output = try output()
    #expect(!output.isPartial, "\(output.warnings)")
    if let count = entry.frameCount { #expect(output.names(in: "mask").count == count) }
    if entry.hasSound { #expect(output.names(in: "audio").count == 1) }
  }

  private func expectRefusal(_ result: KeymillProcess.Result) {
    #expect(result.exitCode == 65 || result.exitCode == 66)
    #expect(keymill.published() == [])
    #expect(result.reason.hasPrefix("keymill: "))
    #expect(result.reason.count <= 400)
  }
}
