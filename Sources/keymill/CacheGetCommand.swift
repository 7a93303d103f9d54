import AudioCache
import Commands
import Glibc
import Platform

/// `keymill cache get`: a track out of the cache.
struct CacheGetCommand: Command {
  static let name = "get"
  static let summary = "Take a track out of the cache"
  static let discussion = """
    Prints the path in the cache, or links the track to the file that -o names, without a copy where \
    the file system allows it. Exits with 66 where the cache does not have the track. With --follow, a \
    track that is being downloaded is written out as it comes; if it never comes whole, the command \
    exits with 75.
    """
  static let examples = [
    Example("keymill cache get https://example.org/a.mp3", "where is it?"),
    Example("keymill cache get 30dedb57 -o a.mp3", "by the first digits of its SHA-256"),
    Example("keymill cache get https://example.org/a.mp3 --follow | mpv -", "play while it loads"),
  ]

  @Argument(help: "A URL, a local file, or the first digits of a SHA-256.", valueName: "track")
  var track: String
  @Option(
    name: .shortAndLong, help: "The file to make of it; - for standard output.",
    valueName: "file")
  var output: String?
  @Flag(help: "Also a track that is still being downloaded, as it comes.")
  var follow: Bool
  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var cacheOptions: CacheOptions

  /// How long to wait for more of a download.
  private static let pauseMicroseconds: UInt32 = 50_000

  func validate() throws {
    if json && (output == "-" || follow && output == nil) {
      throw UsageError("--json and the track cannot both go to standard output")
    }
  }

  func run() throws {
    let cache = try cacheOptions.open()
    let selection = try CacheSelection(track)
    if follow, let origin = selection.origin {
      return try tell(try self.follow(origin, in: cache), in: cache)
    }
    let found = try selection.require(in: cache)
    switch output {
    case nil: break
    case "-": return try write(found)
    case let path?:
      guard try cache.link(found, to: path) != nil else {
        throw InputError(description: "\(track): not in the cache any more", exitCode: .noInput)
      }
    }
    try tell(found, in: cache)
  }

  private func tell(_ found: CachedTrack, in cache: TrackCache) throws {
    if json { return try Output.json(CacheTrackJSON(found, in: cache)) }
    if output == nil && !follow { Output.result(found.file.path) }
  }

  private func write(_ found: CachedTrack) throws {
    let input = try FileDescriptor.open(found.file.path, .read)
    let target = try target()
    while case .bytes(let some) = try input.read(upTo: 1 << 18) { try target.writeAll(some) }
  }

  /// Writes a track out as it comes, and returns it when it is whole.
  private func follow(_ origin: Origin, in cache: TrackCache) throws -> CachedTrack {
    if try cache.download(of: origin) == nil, try cache.track(for: origin) == nil {
      throw InputError(
        description: "\(track): neither in the cache nor on its way", exitCode: .noInput)
    }
    var follower = TrackFollower(origin, in: cache)
    let target = try target()
    while true {
      switch try follower.next() {
      case .bytes(let some): try target.writeAll(some)
      case .waiting: usleep(Self.pauseMicroseconds)
      case .end(let track): return track
      }
    }
  }

  /// What the bytes of a track are written to.
  private func target() throws -> FileDescriptor {
    guard let output, output != "-" else {
      let standardOutput = FileDescriptor(owning: STDOUT_FILENO)
      let copy = Result { () throws(PlatformError) in try standardOutput.duplicate() }
      _ = standardOutput.release()
      return try copy.get()
    }
    return try FileDescriptor.open(output, .write)
  }
}
