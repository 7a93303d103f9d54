import AudioCache
import Commands
import Worker

/// How URLs are downloaded.
struct DownloadArguments: ParsableArguments {
  @Flag(
    help: "Also download from private, loopback and other addresses that are not public.")
  var allowPrivate: Bool
  @Option(
    help: "How long a server is not asked again whether what is in the cache is current.",
    valueName: "time")
  var maxAge: Duration?

  /// What jobs go by: a submitter who has changed a file sees that soon, and a batch asks once.
  static let usualMaxAge = Duration.seconds(300)

  /// The options for downloads into a cache; `maxAge` counts where the command line says nothing.
  func options(_ cache: TrackCache, maxAge usual: Duration?) -> DownloadOptions {
    var options = DownloadOptions(into: cache)
    options.allowsPrivate = allowPrivate
    options.maxAge = maxAge ?? usual
    return options
  }
}
