import FoundationEssentials
import Platform
import Recipes

/// Where a job's output goes: `DIR/<input's name without extension>/`, or with a number behind it
/// where that name belongs to another input.
public struct OutputPlace: Sendable {
  /// The directory that the user named with `-o`, as an absolute path.
  public let directory: String
  private var taken: [String: String] = [:]

  /// Output directories under `directory`.
  ///
  /// `claimed` are those that jobs in the queue will publish to, each with the input it belongs to.
  ///
  /// - Throws: `OutputError` where a file is in the way of the directory; `PlatformError`.
  public init(_ directory: String, claimed: [String: String] = [:]) throws {
    self.directory = try Files.absolutePath(directory)
    taken = claimed
    var place = self.directory
    while Files.parent(of: place) != place, (try? FileStatus(place)) == nil {
      place = Files.parent(of: place)
    }
    guard let status = try? FileStatus(place), status.kind != .directory else { return }
    throw OutputError(
      self.directory, "no output can be made here: Not a directory; name another with -o")
  }

  /// What files and directories of an input are named after.
  public static func stem(of input: String) -> String {
    Files.stem(of: InputName(input).fileName)
  }

  /// What the output directory of an input is called; never what a staging directory could be.
  private static func directoryName(of input: String) -> String {
    let stem = stem(of: input)
    return stem.hasPrefix(".keymill-") ? "_" + stem.dropFirst() : stem
  }

  /// The output directory of an input, given by its absolute path or its URL; the same each time it is
  /// asked for.
  ///
  /// - Throws: `notAnOutput` where the name is taken by something keymill did not make.
  public mutating func path(for input: String) throws(OutputError) -> String {
    let stem = Self.directoryName(of: input)
    let input = InputName(input).shown
    var number = 1
    while true {
      let path = "\(directory)/\(stem)" + (number == 1 ? "" : "-\(number)")
      var owner = taken[path].map { InputName($0).shown }
      if owner == nil { owner = try Self.tenant(of: path).input }
      if owner == nil || owner == input {
        taken[path] = input
        return path
      }
      number += 1
    }
  }

  /// What lies in the place of an output.
  struct Tenant {
    /// The input that it was made of; nil where nothing is there, empty where its manifest does not say.
    var input: String?
    /// The job that made it, where one did.
    var job: Int64?
    /// What tells that job's queue from others.
    var queue: String?
    fileprivate var status: FileStatus?

    /// Whether the same is still there.
    func isStill(at path: String) -> Bool {
      let now = try? FileStatus(path)
      guard let now, let status else { return now == nil && status == nil }
      return now.isSameFile(as: status)
    }
  }

  /// Looks at what lies in a place.
  ///
  /// - Throws: `OutputError` where it is something that keymill did not make.
  static func tenant(of path: String) throws(OutputError) -> Tenant {
    guard let status = try? FileStatus(path) else { return Tenant() }
    guard status.kind == .directory else {
      throw OutputError(path, "is in the way: not a directory")
    }
    guard let bytes = try? Files.read("\(path)/manifest.json") else {
      if let names = try? Files.list(path), names.isEmpty { return Tenant(status: status) }
      throw OutputError(
        path, "is in the way: a directory that keymill did not make; name another with -o")
    }
    let manifest = try? JSONDecoder().decode(ManifestHead.self, from: Data(bytes))
    return Tenant(
      input: manifest?.input.path ?? "", job: manifest?.job?.id, queue: manifest?.job?.queue,
      status: status)
  }

  /// As much of a manifest as tells whose output it is.
  private struct ManifestHead: Decodable {
    struct Input: Decodable { let path: String }
    struct Job: Decodable {
      let id: Int64
      let queue: String
    }
    let input: Input
    let job: Job?
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
