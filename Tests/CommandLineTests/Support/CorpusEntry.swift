import Foundation
import TestSupport
import Testing

/// A file of the shared corpus and what its manifest says of it.
struct CorpusEntry: Decodable, Sendable, CustomTestStringConvertible {
  /// How a job with the file is to end.
  enum Expectation: String, Decodable, Sendable {
    /// All of it decodes.
    case decodes
    /// Some of it does, or with errors.
    case partial
    /// None of it does.
    case rejects
  }

  struct Facts: Decodable, Sendable {
    let format: String?
    let streams: [Stream]?
  }

  struct Stream: Decodable, Sendable {
    let type: String?
    let size: [Int]?
    let framesDecoded: Int?
    let samplesDecoded: Int?
    let attachedPic: Bool?
  }

  let file: String
  let expect: Expectation
  let facts: Facts?

  var testDescription: String { file }

  private var streams: [Stream] { facts?.streams ?? [] }

  /// How many frames are shown, where there is one video stream, and it is no animated picture.
  var frameCount: Int? {
    let videos = streams.filter {
      $0.type == "video" && ($0.framesDecoded ?? 0) > 1 && $0.attachedPic != true
    }
    guard videos.count == 1, !["gif", "apng"].contains(facts?.format) else { return nil }
    return videos[0].framesDecoded
  }

  /// Whether there is sound that decodes.
  var hasSound: Bool { streams.contains { ($0.samplesDecoded ?? 0) > 0 } }

  /// How many pixels all its frames have together.
  var pixelCount: Int {
    streams.reduce(0) { sum, stream in
      guard stream.type == "video", stream.attachedPic != true, let size = stream.size else {
        return sum
      }
      return sum + size.reduce(1, *) * max(1, stream.framesDecoded ?? 0)
    }
  }

  /// All files of the corpus; none where it is not there.
  static let all: [CorpusEntry] = {
    struct Manifest: Decodable { let files: [CorpusEntry] }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let file = URL(filePath: SharedFiles.media("manifest.json"))
    guard let json = try? Data(contentsOf: file),
      let manifest = try? decoder.decode(Manifest.self, from: json)
    else { return [] }
    return manifest.files
  }()
}
