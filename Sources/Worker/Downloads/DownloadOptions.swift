public import AudioCache
public import Fetch
import Platform

/// How inputs that are URLs are downloaded, and where they are kept.
public struct DownloadOptions: Sendable {
  /// Whether hosts with private, loopback and other special addresses may be asked.
  ///
  /// For whoever runs the pool to say, never for a job: who may submit could else reach whatever the
  /// pool's machine reaches.
  public var allowsPrivate = false
  /// How long a server need not be asked again whether what is there is current; nil for ever.
  public var maxAge: Duration? = .seconds(300)
  /// The bounds of each download.
  public var limits = FetchLimits()
  /// The program that is a fetch process, with its arguments; see ``FetchProcess``.
  public var command = [Executable.itself, FetchProcess.commandName]
  /// How long to wait before looking again for what another process downloads.
  var pause = Duration.seconds(1)
  /// Makes a cache for one more thread.
  let makeCache: @Sendable () -> TrackCache

  /// Downloads into the directory of `cache`, within its limits.
  public init(into cache: TrackCache) { makeCache = cache.another }
}
