import Digests
import Foundation
import ImageFiles
import Imaging
import Media
import Platform
import Recipes

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
      let frames: Int
      let width: Int
      let height: Int
      let alpha: String
      let pixelAspect: String
      let screens: [Screen]
    }
    struct Track: Decodable, Sendable {
      let path: String
      let codec: String
      let samples: Int?
      let copy: Bool
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
    let audio: [Track]?
    let stills: [Still]?
    let files: [File]
  }

  let directory: String
  let result: MediaResult
  let manifest: Manifest

  /// Carries a recipe out in this process; `staging` is the directory to make.
  static func make(
    _ recipe: String, of input: String, in staging: String, threads: Int = 2
  ) throws -> MadeOutput {
    let result = try MediaJob.test(recipe, of: input, in: staging, threads: threads).run()
    let json = Data(try Files.read("\(staging)/manifest.json"))
    return MadeOutput(
      directory: staging, result: result,
      manifest: try JSONDecoder().decode(Manifest.self, from: json))
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

extension MediaJob {
  /// A job whose tracks are named `clip`.
  static func test(
    _ recipe: String, of input: String, in staging: String, threads: Int = 2
  ) throws -> MediaJob {
    MediaJob(
      input: input, recipe: try Recipe(json: recipe, name: "test.json"), recipeName: "test",
      staging: staging, stem: "clip", threads: threads)
  }
}

/// Carries a recipe out into a directory of the running test.
func make(
  _ recipe: String, of input: String, as name: String = "out", threads: Int = 2
) throws -> MadeOutput {
  try MadeOutput.make(recipe, of: input, in: path(name), threads: threads)
}

/// What a recipe comes to: the error's words, or nil where all was made.
func failure(_ recipe: String, of input: String) throws -> MediaError? {
  do {
    _ = try make(recipe, of: input, as: "refused")
    return nil
  } catch let error as MediaError {
    return error
  }
}
