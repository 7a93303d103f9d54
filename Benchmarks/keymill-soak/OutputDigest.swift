import Digests
import Foundation
import ImageFiles
import Platform

/// What two outputs of the same recipe and input have in common: the same files, the same bytes or, of
/// PNG files, the same pixels, and the same words about them in the manifest.
///
/// The library that packs PNG files does not always give the same bytes for the same pixels: on some
/// processors, now and then, it finds another of several matches that serve as well.
struct OutputDigest: Equatable {
  private let contents: [String: SHA256Digest]
  private let manifest: SHA256Digest

  /// Reads an output.
  ///
  /// - Throws: where it is not whole: a file lacks or has other bytes than its manifest says.
  init(of output: String) throws {
    let bytes = Data(try Files.read("\(output)/manifest.json"))
    guard var manifest = try JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      let files = manifest["files"] as? [[String: Any]]
    else { throw SoakError("\(output): no manifest of keymill's") }
    let names = Set(try Self.files(in: output)).subtracting(["manifest.json"])
    guard names == Set(files.compactMap { $0["path"] as? String }), names.count == files.count
    else { throw SoakError("\(output): its files are not those of its manifest") }
    contents = try Dictionary(
      uniqueKeysWithValues: files.map { file in
        let name = file["path"] as? String ?? ""
        return (name, try Self.content(of: "\(output)/\(name)", claimed: file["sha256"] as? String))
      })
    // By which job, when and from where it was made, and how tightly it was packed.
    manifest["job"] = nil
    manifest["input"] = nil
    manifest["keymill"] = nil
    manifest["files"] = files.map { file in
      file.filter { $0.key != "bytes" && $0.key != "sha256" }
    }
    let text = try JSONSerialization.data(withJSONObject: manifest, options: .sortedKeys)
    self.manifest = SHA256Digest(of: Array(text))
  }

  private static func content(of path: String, claimed: String?) throws -> SHA256Digest {
    let digest = try SHA256Digest(ofFileAt: path)
    guard digest.hex == claimed else {
      throw SoakError("\(path): has other bytes than its manifest says")
    }
    guard path.hasSuffix(".png") else { return digest }
    return SHA256Digest(of: try PNGReader.read(path: path).samples)
  }

  /// The paths of all files in a directory, relative to it.
  private static func files(in directory: String) throws -> [String] {
    try Files.list(directory).flatMap { name in
      let path = "\(directory)/\(name)"
      guard try FileStatus(path, followingLinks: false).kind == .directory else { return [name] }
      return try files(in: path).map { "\(name)/\($0)" }
    }
  }
}
