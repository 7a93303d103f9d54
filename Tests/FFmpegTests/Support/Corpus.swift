import Foundation

/// The shared media files, with what is known of them.
enum Corpus {
  /// One media file and the facts that ffprobe and ffmpeg give of it.
  struct Entry: Decodable, Sendable {
    struct Facts: Decodable, Sendable {
      var format: String?
      var streams: [StreamFacts]?
    }
    struct StreamFacts: Decodable, Sendable {
      var index: Int
      var type: String
      var codec: String?
      var frames_decoded: Int?
      var samples_decoded: Int?
      var size: [Int]?
    }
    var file: String
    var expect: String
    var facts: Facts?
  }

  private struct Manifest: Decodable {
    var files: [Entry]
  }

  static let absent = "the shared media corpus is not here (KEYMILL_SHARED)"

  /// The corpus, from `KEYMILL_SHARED` or beside the package.
  static let root: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../..").standardizedFileURL
    let named = ProcessInfo.processInfo.environment["KEYMILL_SHARED"].map { URL(filePath: $0) }
    let shared = named ?? package.appending(path: "../shared").standardizedFileURL
    let media = shared.appending(path: "media")
    return FileManager.default.fileExists(atPath: media.path) ? media : nil
  }()

  static var isPresent: Bool { root != nil }

  static let entries: [Entry] = {
    guard let root, let data = try? Data(contentsOf: root.appending(path: "manifest.json")),
      let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
    else { return [] }
    return manifest.files
  }()

  /// The path of one of the files; of none where the corpus is absent.
  static func path(_ name: String) -> String {
    (root ?? URL(filePath: "/nonexistent")).appending(path: name).path
  }

  static func entry(_ name: String) -> Entry? {
    entries.first { $0.file == name }
  }
}
