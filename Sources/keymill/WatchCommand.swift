import Commands
import JobQueue
import Platform
import Recipes
import Watch
import Worker

/// `keymill watch`: submits what is dropped into a directory.
struct WatchCommand: Command {
  static let name = "watch"
  static let summary = "Submit what is dropped into a directory"
  static let discussion = """
    Each file becomes one job once it is complete: closed by whoever wrote it, or moved in, and then \
    unchanged for --settle. Files that are there already are taken as well; a file that was submitted \
    before is not, not even after a restart, until it has changed. Hidden files and names ending in \
    .part and the like are left alone. Run `keymill work` beside it.
    """
  static let examples = [
    Example("keymill watch in --recipe jobs/sprite.json", "a job for each clip put into in/"),
    Example("keymill watch in -r r.json -o /srv/out --settle 10s", "for slow uploads"),
  ]

  @Argument(help: "The directory.", valueName: "dir")
  var directory: String
  @Option(name: .shortAndLong, help: "The recipe, a JSON file.", valueName: "file")
  var recipe: String
  @Option(name: .shortAndLong, help: "Where output directories go.", valueName: "dir")
  var output = "out"
  @Option(help: "How long a file must stand still.", valueName: "time")
  var settle: Duration = .seconds(2)
  @Option(help: "The named queue to wait in.", valueName: "name")
  var queue = "default"
  @Option(help: "Higher goes first.", valueName: "n")
  var priority = 0
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let factory = JobFactory(try LoadedRecipe(recipe))
    let store = try queueOptions.open(.supervisor)
    let outputs = try Files.absolutePath(output)
    var options = WatchFolder.Options()
    options.settle = settle
    options.excluded = [try Files.absolutePath(recipe)]
    let folder = try WatchFolder(
      directory: directory, store: store, doorbell: Doorbell(besideQueue: store.path),
      options: options,
      makeJob: { path in
        var place = try OutputPlace(outputs, claimed: store.liveOutputs(under: outputs))
        var job = factory.job(input: path, output: try place.path(for: path))
        job.queue = queue
        job.priority = priority
        return job
      }, report: Self.tell)
    let loop = try EventLoop()
    let signals = try SignalWatch([.interrupt, .terminate])
    try loop.add(signals.descriptor) { _ in loop.stop() }
    try folder.start(on: loop)
    Output.message("keymill: watching \(folder.directory)")
    try loop.run()
    folder.stop()
  }

  /// Hidden names and directories come and go by the hundred, our own staging among them.
  private static func tell(_ notice: WatchNotice) {
    switch notice {
    case .ignored(_, .hidden), .ignored(_, .directory): break
    default: Output.message("keymill: \(notice)")
    }
  }
}
