import AudioCache
import Commands
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
    do {
      try get()
    } catch is ReaderGone {
      // As for all other output: whoever has had enough of it ends nothing.
    }
  }

  private func get() throws {
    let place = try output.map(TrackPlace.init)
    let cache = try cacheOptions.open()
    try place?.refuse(inside: cache.store.root)
    let selection = try CacheSelection(track)
    if follow, let origin = selection.origin {
      let found = try self.follow(origin, in: cache, to: place ?? .standardOutput)
      return try tell(found, in: cache)
    }
    let url = InputName(track)
    let downloaded = try url.isURL ? download(url, into: cache) : nil
    // Until here it stays because of the download's lease.
    let found = try downloaded?.track ?? selection.require(in: cache)
    // Who asks for it by name wants it, whatever it is.
    try downloaded?.accept(in: cache)
    try withExtendedLifetime(downloaded) { try hand(out: found, to: place, in: cache) }
  }

  private func hand(out found: CachedTrack, to place: TrackPlace?, in cache: TrackCache) throws {
    switch place {
    case nil: try tell(found, in: cache)
    case .standardOutput: try write(found, to: .standardOutput)
    case .stream(let path):
      try write(found, to: .stream(path))
      try tell(found, in: cache)
    case .file(let path):
      try link(found, to: path, in: cache)
      try tell(found, in: cache)
    }
  }

  private func link(_ found: CachedTrack, to path: String, in cache: TrackCache) throws {
    do {
      if try cache.link(found, to: path) != nil { return }
    } catch AudioStoreError.system(let error) {
      throw TargetError(path, error)
    }
    throw InputError(
      description: "\(InputName(track).shown): not in the cache any more", exitCode: .noInput)
  }

  private func tell(_ found: CachedTrack, in cache: TrackCache) throws {
    if json { return try Output.json(CacheTrackJSON(found, in: cache)) }
    if output == nil && !follow { Output.result(found.file.path) }
  }

  private func write(_ found: CachedTrack, to place: TrackPlace) throws {
    let input = try FileDescriptor.open(found.file.path, .read)
    let target = TrackTarget(place)
    while case .bytes(let some) = try input.read(upTo: 1 << 18) { try target.write(some) }
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
}

// MARK: - While it is being downloaded

extension CacheGetCommand {
  /// Writes a track out as it comes, and returns it when it is whole.
  private func follow(
    _ origin: Origin, in cache: TrackCache, to place: TrackPlace
  ) throws -> CachedTrack {
    let url = InputName(track)
    let writer = try TrackWriter(
      origin, ofStoreAt: cache.store.root, to: TrackTarget(place),
      includingPrivate: !url.isURL || downloadOptions.allowPrivate)
    if !url.isURL {
      guard try cache.track(for: origin) != nil else {
        throw InputError(description: "\(track): not in the cache", exitCode: .noInput)
      }
      return try writer.finish()
    }
    do {
      // Also of what somebody else downloads: if they end, it goes on here.
      try download(url, into: cache) { download, loop in
        // Whoever reads along has gone: nobody wants the rest.
        try writer.whenItFails(in: loop) { download.cancel() }
      } report: { _ in
        // From now on there is something to follow; without a thread for that, it is written at the end.
        try? writer.start()
      }.accept(in: cache)
    } catch {
      // The thread ends with the process, before it may have seen that nothing more comes.
      defer { writer.discard() }
      if error is DownloadCancelled, let failure = writer.failure { throw failure }
      throw error
    }
    return try writer.finish()
  }
}
