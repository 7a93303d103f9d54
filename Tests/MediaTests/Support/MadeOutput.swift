import Digests
import Foundation
import ImageFiles
import Imaging
import Platform
import TestSupport
import Testing

/// The staging directory that a job has filled, and what its manifest says.
struct MadeOutput: Sendable {
  /// As much of `manifest.json` as the tests look at.
  struct Manifest: Decodable, Sendable {
    struct File: Decodable, Hashable, Sendable {
      let path: String
      let bytes: Int
      let sha256: String
      let time: Double?
    }
    struct Key: Decodable, Sendable {
      struct Screen: Decodable, Sendable { let color: String }
      struct Score: Decodable, Sendable { let verdict: String }
      let frames: Int
      let width: Int
      let height: Int
      let alpha: String
      let matrix: String
      let pixelAspect: String
      let screens: [Screen]
      let score: Score?
    }
    struct Sound: Decodable, Sendable {
      let path: String
      let format: String
      let codec: String?
      let rate: Int?
      let samples: Int?
      let copy: Bool
    }
    struct Track: Decodable, Sendable {
      struct Clipping: Decodable, Sendable {
        let runs: Int
        let samples: Int
        let first: Double?
      }
      struct Silence: Decodable, Sendable {
        let leading: Double
        let trailing: Double
      }
      let track: Int
      let language: String?
      let layout: String?
      let duration: Double?
      let samples: Int?
      let loudness: Double?
      let truePeak: Double?
      let clipping: Clipping?
      let silence: Silence?
      let gain: Double?
    }
    struct Still: Decodable, Sendable {
      let time: Double
      let width: Int
      let height: Int
      let files: [String]
    }
    let partial: Bool
    let warnings: [String]
    let key: Key?
    let audio: [Sound]?
    let tracks: [Track]?
    let stills: [Still]?
    let files: [File]
  }

  let directory: String
  let result: JobOutcome.Result
  let manifest: Manifest

  /// Reads what a job has made.
  init(_ outcome: JobOutcome, in directory: String) throws {
    guard case .made(let result) = outcome else {
      throw UnexpectedOutcome(description: "\(outcome)")
    }
    self.directory = directory
    self.result = result
    let json = Data(try Files.read("\(directory)/manifest.json"))
    manifest = try JSONDecoder().decode(Manifest.self, from: json)
  }

  /// The full path of one of its files.
  func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// The manifest's entries in a folder.
  func files(in folder: String) -> [Manifest.File] {
    manifest.files.filter { $0.path.hasPrefix("\(folder)/") }
  }

  /// One of its PNG files.
  func picture(_ name: String) throws -> PNGPicture { try PNGReader.read(path: path(name)) }
}

/// A job that was to be made, and was refused.
struct UnexpectedOutcome: Error, CustomStringConvertible {
  let description: String
}

/// Carries a recipe out into a directory of the running test.
func make(
  _ recipe: String, of input: String, as name: String = "out", threads: Int = 2
) async throws -> MadeOutput {
  let order = JobOrder(recipe: recipe, input: input, staging: path(name), threads: threads)
  return try MadeOutput(try #require(try await carryOut([order]).first), in: order.staging)
}

/// Why a recipe is refused; nil where all was made.
func failure(_ recipe: String, of input: String) async throws -> JobOutcome.Refusal? {
  let order = JobOrder(recipe: recipe, input: input, staging: path("refused"))
  guard case .refused(let refusal) = try await carryOut([order]).first else { return nil }
  return refusal
}
