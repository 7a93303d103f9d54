import AudioCache
import Commands
import Glibc
import Platform
import Recipes
import Worker

/// `keymill cache get`: a track out of the cache.
struct CacheGetCommand: Command {
  static let name = "get"
  static let summary = "Take a track out of the cache, or download it"
  static let discussion = """
    Prints the path in the cache, or links the track to the file that -o names, without a copy where \
    the file system allows it. A URL that the cache does not have is downloaded, once, however many ask \
    for it; what else it does not have ends the command with 66. With --follow, a track that is being \
    downloaded is written out as it comes; if it never comes whole, the command exits with 75.
    """
  static let examples = [
    Example("keymill cache get https://example.org/a.mp3", "downloads it if it is not there"),
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
  @OptionGroup var downloadOptions: DownloadArguments
  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var cacheOptions: CacheOptions

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
    let url = InputName(track)
    let downloaded = try url.isURL ? download(url, into: cache) : nil
    // Until here it stays because of the download's lease.
    let found = try downloaded?.track ?? selection.require(in: cache)
    try withExtendedLifetime(downloaded) { try hand(out: found, in: cache) }
  }

  private func hand(out found: CachedTrack, in cache: TrackCache) throws {
    switch output {
    case nil: break
    case "-": return try write(found)
    case let path?:
      guard try cache.link(found, to: path) != nil else {
        throw InputError(
          description: "\(InputName(track).shown): not in the cache any more", exitCode: .noInput)
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

  private func download(
    _ url: InputName, into cache: TrackCache,
    prepare: (InputDownload, EventLoop) throws -> Void = { _, _ in },
    report: @escaping (DownloadNews) -> Void = { _ in }
  ) throws -> DownloadedInput {
    let signals = try SignalWatch([.interrupt, .terminate, .hangup])
    let bar = TerminalProgress()
    defer { bar.clear() }
    let downloader = try Downloader(downloadOptions.options(cache, maxAge: nil), signals)
    return try downloader.fetch(url) {
      try prepare($0, downloader.loop)
    } report: { news in
      bar.show(news, of: url)
      report(news)
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

// MARK: - While it is being downloaded

extension CacheGetCommand {
  /// Writes a track out as it comes, and returns it when it is whole.
  private func follow(_ origin: Origin, in cache: TrackCache) throws -> CachedTrack {
    let url = InputName(track)
    let isOnItsWay = try cache.download(of: origin)?.state == .running
    if !url.isURL, !isOnItsWay, try cache.track(for: origin) == nil {
      throw InputError(description: "\(track): not in the cache", exitCode: .noInput)
    }
    let writer = try TrackWriter(origin, ofStoreAt: cache.store.root, to: target())
    // Somebody else downloads it: how that ends is how this ends.
    if isOnItsWay || !url.isURL { return try writer.finish() }
    do {
      _ = try download(url, into: cache) { download, loop in
        // Whoever reads along has gone: nobody wants the rest.
        try writer.whenItFails(in: loop) { download.cancel() }
      } report: { _ in
        // From now on there is something to follow; without a thread for that, it is written at the end.
        try? writer.start()
      }
    } catch let error as DownloadCancelled {
      if let failure = writer.failure { throw failure }
      throw error
    }
    return try writer.finish()
  }
}
