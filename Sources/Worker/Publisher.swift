public import AudioCache
public import Digests
public import Platform

/// Makes a finished staging directory the output: all of it at once, or nothing.
public struct Publisher {
  let cache: TrackCache?

  /// A publisher that also keeps copied tracks in `cache`.
  public init(cache: TrackCache?) { self.cache = cache }

  /// The staging directory of an attempt: beside its output, so that a rename can publish it.
  ///
  /// The queue's path is in its name: every queue has a job 1, and two of them may publish to one
  /// place.
  public static func staging(
    for output: String, job: Int64, attempt: Int, queue: String
  ) -> String {
    "\(Files.parent(of: output))/.keymill-\(job)-\(attempt)-\(mark(ofQueue: queue))"
  }

  /// What tells a queue, given by its path, from others in names and manifests.
  static func mark(ofQueue path: String) -> String {
    String(SHA256Digest(of: Array(path.utf8)).hex.prefix(6))
  }

  /// Links copied tracks with the audio cache; comes before ``put(_:at:)``, outside of any lock.
  ///
  /// Blocks as long as reading the tracks takes (``TrackKeeper`` does it for event loops). A job process
  /// is not believed: the digests are computed here, and a path that leads out of the staging directory
  /// is refused. `input` is the content that they were copied out of; where it is not known they are
  /// found by their own content only. Where `isOwn`, this very process has made the tracks and read them back, and they are
  /// not read again.
  /// - Returns: What went wrong, for the log. An output is whole without the cache.
  public func keepTracks(
    of result: JobResult, from input: SHA256Digest?, in staging: String, isOwn: Bool = false
  ) -> String? {
    guard let cache else { return nil }
    var trouble: String?
    for track in result.tracks {
      do {
        try keep(track, from: input, in: staging, cache, isOwn: isOwn)
      } catch {
        trouble = "the audio cache cannot keep \(Files.name(of: track.path)): \(error)"
      }
    }
    return trouble
  }

  private func keep(
    _ track: JobResult.Track, from input: SHA256Digest?, in staging: String, _ cache: TrackCache,
    isOwn: Bool
  ) throws {
    let path = "\(staging)/\(track.path)"
    guard !track.path.split(separator: "/").contains("..") else {
      throw OutputError(track.path, "leads out of the output")
    }
    // A pipe would be waited for, and a link leads to what the job's process may not read.
    guard try FileStatus(path, followingLinks: false).kind == .file else {
      throw OutputError(path, "is no file any more")
    }
    let own = isOwn ? SHA256Digest(hex: track.sha256) : nil
    let digest = try own ?? SHA256Digest(ofFileAt: path)
    guard digest.hex == track.sha256 else {
      throw OutputError(path, "has changed since it was read back")
    }
    let parts = Files.name(of: path).split(separator: ".")
    _ = try cache.insert(
      fileAt: path, digest: digest,
      fileExtension: parts.count > 1 ? parts.last.map(String.init) ?? "bin" : "bin",
      origin: track.origin(of: digest, copiedFrom: input))
  }

  /// Removes what processes that have died left half-stored in the cache.
  ///
  /// - Returns: What went wrong, for the log.
  public func sweepCache() -> String? {
    do {
      try cache?.sweep()
      return nil
    } catch {
      return "the audio cache cannot be swept: \(error)"
    }
  }

  /// Puts the staging directory in the output's place, in one step for readers.
  ///
  /// - Returns: The older output under its new name, for ``settle(_:replaced:)``; nil where there
  ///   was none.
  public func put(_ staging: String, at output: String) throws -> String? {
    try check(staging, for: OutputPlace.tenant(of: output), at: output)
    switch try Files.install(staging, at: output) {
    case .fresh: return nil
    case .exchanged: return staging
    }
  }

  /// Checks that as many files as were made are still there, besides the manifest.
  ///
  /// - Throws: `transient` failure where something has removed or added files since.
  func count(_ files: Int, in staging: String) throws(PlatformError) {
    guard try Self.fileCount(in: staging) == files + 1 else {
      throw PlatformError(code: .notFound, call: "readdir", subject: staging)
    }
  }

  private static func fileCount(in directory: String) throws(PlatformError) -> Int {
    var count = 0
    for name in try Files.list(directory) {
      let path = "\(directory)/\(name)"
      let isDirectory = try FileStatus(path, followingLinks: false).kind == .directory
      count += isDirectory ? try fileCount(in: path) : 1
    }
    return count
  }

  /// Checks that the staging directory is a whole output, and that what is in its place may give way.
  ///
  /// - Throws: `OutputError` where the place holds the output of another input.
  func check(_ staging: String, for place: OutputPlace.Tenant, at output: String) throws {
    // Written last, so that without it the output is not whole.
    _ = try FileStatus("\(staging)/manifest.json")
    guard place.input != nil else { return }
    try check(place, isOf: try OutputPlace.tenant(of: staging).input, at: output)
  }

  /// Checks that a place holds an output of this input.
  ///
  /// - Throws: `OutputError` where it does not.
  func check(_ place: OutputPlace.Tenant, isOf input: String?, at output: String)
    throws(OutputError)
  {
    guard place.input != input else { return }
    let whose =
      switch place.input {
      case nil: "is gone"
      case "": "is in the way: something with a damaged manifest; name another with -o"
      case let other?: "is in the way: the output of \(other); name another with -o"
      }
    throw OutputError(output, whose)
  }

  /// Makes a publication last, and removes the output that it replaced.
  public func settle(_ output: String, replaced: String?) throws(PlatformError) {
    try Files.syncDirectory(Files.parent(of: output))
    if let replaced { try Files.removeTree(replaced) }
  }

  /// Removes what an attempt left.
  public func discard(_ staging: String) throws(PlatformError) { try Files.removeTree(staging) }
}
