import Foundation
import TestSupport

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

  static let entries: [Entry] = {
    let file = URL(filePath: SharedFiles.media("manifest.json"))
    guard let data = try? Data(contentsOf: file),
      let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
    else { return [] }
    return manifest.files
  }()

  static func entry(_ name: String) -> Entry? {
    entries.first { $0.file == name }
  }
}
