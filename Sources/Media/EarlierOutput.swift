import Digests
import FFmpeg
import FoundationEssentials
import Platform
import Recipes

/// An output that was made earlier of the same bytes, by the same recipe and engine, and is still
/// whole on the disk: every file is there, of the size and with the digest that its manifest tells.
///
/// The bytes of such an output are those that a job would make anew, as far as its files' names do
/// not come from the input's.
struct EarlierOutput {
  /// Its directory.
  let path: String
  private let facts: Facts
  private let manifest: String

  /// Looks at an output; nil where it is not what `job` would make of `sources`, or not whole.
  ///
  /// Reads all of it, and tells `report` as it goes on.
  /// - Throws: An error of kind `cancelled` where `report` has returned false.
  init?(
    at path: String, like job: MediaJob, of sources: SourceIdentity,
    report: @escaping (Progress) -> Bool
  ) throws(MediaError) {
    guard let bytes = try? Files.read("\(path)/manifest.json"),
      let facts = try? JSONDecoder().decode(Facts.self, from: Data(bytes)),
      facts.isMade(of: sources, by: job)
    else { return nil }
    self.path = path
    self.facts = facts
    manifest = String(decoding: bytes, as: UTF8.self)
    var meter = ProgressMeter(
      duration: facts.files.reduce(0) { $0 + Double($1.bytes) }, report: report)
    var position = 0.0
    for file in facts.files {
      guard isWhole(file) else { return nil }
      position += Double(file.bytes)
      meter.reached(position, stage: "checking")
      if meter.isCancelled { throw .interrupted(job.input) }
    }
  }

  private func isWhole(_ file: Facts.File) -> Bool {
    let path = "\(path)/\(file.path)"
    // A manifest is not believed to name nothing but its own files.
    guard !file.path.split(separator: "/").contains(".."),
      let status = try? FileStatus(path, followingLinks: false),
      status.kind == .file, status.size == Int64(file.bytes)
    else { return false }
    return (try? SHA256Digest(ofFileAt: path))?.hex == file.sha256
  }

  /// Whether it was made of the file at this path, and not of another with the same bytes.
  func isMade(ofFileAt input: String) -> Bool { facts.input.path == input }

  /// Whether its files may go by the same names for an input of another name.
  func isNamed(forInput stem: String) -> Bool {
    let own = Files.stem(of: InputName(facts.input.path).fileName)
    return own == stem || !facts.files.contains { Files.name(of: $0.path).hasPrefix(own) }
  }

  /// What was made.
  var result: MediaResult {
    MediaResult(
      isPartial: facts.partial, warnings: facts.warnings, files: facts.files.count,
      bytes: facts.files.reduce(0) { $0 + $1.bytes }, frames: facts.key?.frames,
      score: facts.key?.score, screens: facts.key?.screens ?? [],
      copiedTracks: (facts.audio ?? []).filter(\.copy).compactMap { track in
        facts.files.first { $0.path == track.path }.map { file in
          CopiedTrack(
            path: file.path, sha256: file.sha256, number: track.track,
            inputSHA256: facts.input.sha256)
        }
      })
  }

  /// Gives the output's files a second name in a staging directory that does not exist yet, and writes
  /// a manifest there that tells of the input at hand.
  ///
  /// - Returns: false where its manifest is not laid out as ours are.
  func link(into staging: String, for job: MediaJob, of sources: SourceIdentity) throws -> Bool {
    guard let manifest = manifest(for: job, of: sources.input) else { return false }
    try StagingDirectory.make(at: staging)
    var made: Set<String> = [staging]
    for file in facts.files {
      let target = "\(staging)/\(file.path)"
      let directory = Files.parent(of: target)
      if made.insert(directory).inserted { try Files.makeDirectory(directory) }
      _ = try Files.linkOrClone("\(path)/\(file.path)", to: target)
    }
    let file = try FileDescriptor.open("\(staging)/manifest.json", .create)
    try file.writeAll(manifest)
    try file.close()
    try Files.syncFileSystem(containing: staging)
    return true
  }

  /// The manifest with what it tells of the input and the job made over, and all else as it is.
  private func manifest(for job: MediaJob, of input: InputIdentity) -> String? {
    var head = JSONEmitter()
    head.beginObject()
    Manifest.write(job.origin, &head)
    Manifest.write(
      input, format: facts.input.format, duration: facts.input.duration, &head)
    head.string("recipeName", job.recipeName)
    // From the opening of the first of the three members to the end of the last; strings hold no line
    // breaks, so what stands at the start of a line is structure.
    let first =
      manifest.firstRange(of: "\n  \"job\": ") ?? manifest.firstRange(of: "\n  \"input\": {")
    guard let first, let name = manifest.firstRange(of: "\n  \"recipeName\": "),
      let end = manifest[name.upperBound...].firstRange(of: "\n"),
      first.lowerBound < name.lowerBound
    else { return nil }
    return manifest[..<first.lowerBound] + head.text.dropFirst() + "," + manifest[end.lowerBound...]
  }
}

/// As much of a manifest as tells what was made, of what and by whom.
private struct Facts: Decodable {
  struct Input: Decodable {
    let path: String
    let sha256: String
    let format: String
    let duration: Double?
  }
  struct Picture: Decodable {
    let sha256: String
  }
  struct File: Decodable {
    let path: String
    let bytes: Int
    let sha256: String
  }
  struct Key: Decodable {
    let frames: Int
    let score: MatteScore?
    let screens: [KeyedScreen]
  }
  struct Track: Decodable {
    let path: String
    let track: Int
    let copy: Bool
  }

  let keymill: [String: String]
  let input: Input
  let recipeSHA256: String
  let pictures: [Picture]?
  let partial: Bool
  let warnings: [String]
  let key: Key?
  let audio: [Track]?
  let files: [File]

  func isMade(of sources: SourceIdentity, by job: MediaJob) -> Bool {
    let libraries = LibraryVersions.all.map { ($0.name, $0.version) }
    let engine = Dictionary(uniqueKeysWithValues: libraries + [("version", Engine.version)])
    return input.sha256 == sources.input.sha256.hex
      && (pictures ?? []).map(\.sha256) == sources.pictures.map(\.sha256.hex) && keymill == engine
      && recipeSHA256 == SHA256Digest(of: job.recipe.canonicalJSON).hex
  }
}
