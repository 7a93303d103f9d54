import FoundationEssentials
public import Platform

/// Where a job's output goes: `DIR/<input's name without extension>/`, or with a number behind it
/// where that name belongs to another input.
public struct OutputPlace: Sendable {
  /// The directory that the user named with `-o`, as an absolute path.
  public let directory: String
  private var taken: [String: String] = [:]

  /// Output directories under `directory`.
  ///
  /// `claimed` are those that jobs in the queue will publish to, each with the input it belongs to.
  public init(_ directory: String, claimed: [String: String] = [:]) throws(PlatformError) {
    self.directory = try Files.absolutePath(directory)
    taken = claimed
  }

  /// What files and directories of an input are named after.
  public static func stem(of input: String) -> String {
    let name = Files.name(of: input)
    guard let dot = name.lastIndex(of: "."), name[..<dot].contains(where: { $0 != "." }) else {
      // A hidden name has no extension, and `.` and `..` name no output.
      return name
    }
    return String(name[..<dot])
  }

  /// What the output directory of an input is called; never what a staging directory could be.
  private static func directoryName(of input: String) -> String {
    let stem = stem(of: input)
    return stem.hasPrefix(".keymill-") ? "_" + stem.dropFirst() : stem
  }

  /// The output directory of an input, given by its absolute path; the same each time it is asked for.
  ///
  /// - Throws: `notAnOutput` where the name is taken by something keymill did not make.
  public mutating func path(for input: String) throws(OutputError) -> String {
    let stem = Self.directoryName(of: input)
    var number = 1
    while true {
      let path = "\(directory)/\(stem)" + (number == 1 ? "" : "-\(number)")
      var owner = taken[path]
      if owner == nil { owner = try Self.owner(of: path) }
      if owner == nil || owner == input {
        taken[path] = input
        return path
      }
      number += 1
    }
  }

  /// The input that an existing output was made of; nil where nothing is there.
  static func owner(of path: String) throws(OutputError) -> String? {
    guard let status = try? FileStatus(path) else { return nil }
    guard status.kind == .directory else {
      throw OutputError(path, "is in the way: not a directory")
    }
    guard let bytes = try? Files.read("\(path)/manifest.json") else {
      if let names = try? Files.list(path), names.isEmpty { return nil }
      throw OutputError(
        path, "is in the way: a directory that keymill did not make; name another with -o")
    }
    let manifest = try? JSONDecoder().decode(ManifestHead.self, from: Data(bytes))
    return manifest?.input.path ?? ""
  }

  /// As much of a manifest as tells whose output it is.
  private struct ManifestHead: Decodable {
    struct Input: Decodable { let path: String }
    let input: Input
  }
}

/// A place where no output can be made.
public struct OutputError: Error, Sendable, CustomStringConvertible {
  /// The place.
  public let path: String
  /// What is wrong and what to do.
  public let message: String

  init(_ path: String, _ message: String) {
    self.path = path
    self.message = message
  }

  /// Place and message on one line.
  public var description: String { "\(path): \(message)" }
}
