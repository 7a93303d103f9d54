import Digests
import Foundation
import Platform

/// What two outputs of the same recipe and input have in common: every file's bytes, and what the
/// manifest says about them.
struct OutputDigest: Equatable {
  private let digest: SHA256Digest

  /// Reads an output.
  ///
  /// - Throws: where it is not whole: a file lacks or has other bytes than its manifest says.
  init(of output: String) throws {
    let manifest = try JSONSerialization.jsonObject(
      with: Data(try Files.read("\(output)/manifest.json")))
    guard let manifest = manifest as? [String: Any],
      let files = manifest["files"] as? [[String: Any]]
    else { throw SoakError("\(output): no manifest of keymill's") }
    var claimed: [String: String] = [:]
    for file in files {
      guard let path = file["path"] as? String, let digest = file["sha256"] as? String else {
        throw SoakError("\(output): a file without path or digest")
      }
      claimed[path] = digest
    }
    let found = try Self.files(in: output, below: "").filter { $0.key != "manifest.json" }
    guard found == claimed else {
      throw SoakError("\(output): its files are not those of its manifest")
    }
    // When and from where it was made may differ.
    let lasting = manifest.filter { $0.key != "input" && $0.key != "keymill" }
    let text = try JSONSerialization.data(withJSONObject: lasting, options: .sortedKeys)
    digest = SHA256Digest(of: Array(text))
  }

  private static func files(in root: String, below prefix: String) throws -> [String: String] {
    var digests: [String: String] = [:]
    for name in try Files.list(root + prefix) {
      let path = "\(prefix)/\(name)"
      if try FileStatus(root + path, followingLinks: false).kind == .directory {
        digests.merge(try files(in: root, below: path)) { $1 }
      } else {
        digests[String(path.dropFirst())] = try SHA256Digest(ofFileAt: root + path).hex
      }
    }
    return digests
  }
}
