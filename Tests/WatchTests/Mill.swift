import FoundationEssentials
import JobQueue
import Platform
import TestSupport

@testable import Watch

/// A queue and a watcher of the running test's `in`, on an event loop, and what the watcher said.
final class Mill {
  let loop: EventLoop
  let store: JobStore
  let doorbell: Doorbell
  private(set) var notices: [WatchNotice] = []
  private(set) var watcher: WatchFolder?

  init(queue: String = "queue.db") throws {
    loop = try EventLoop()
    store = try JobStore(path: path(queue), role: .supervisor)
    doorbell = Doorbell(besideQueue: store.path)
    // The net under a hang: a run that waits for what never comes.
    loop.schedule(after: .seconds(50)) { throw NeverCame() }
  }

  /// Starts to watch, for files that stand still for a moment only.
  func watch(
    settle: Duration = .milliseconds(5), rescan: Duration = .seconds(3600), recipe: String = "r",
    excluded: [String] = [], writers: ((String) throws(PlatformError) -> Writers)? = nil,
    makeJob: ((String) throws -> NewJob)? = nil
  ) throws {
    var options = WatchFolder.Options()
    options.settle = settle
    options.rescan = rescan
    options.excluded = excluded
    let watcher = try WatchFolder(
      directory: path("in"), store: store, doorbell: doorbell, options: options,
      now: { Date(timeIntervalSince1970: 1_000_000) },
      makeJob: makeJob ?? { job($0, recipe: recipe) },
      report: { [unowned self] in notices.append($0) })
    if let writers { watcher.writers = writers }
    try watcher.start(on: loop)
    self.watcher = watcher
  }

  /// Runs until the watcher has said something of this kind so many times.
  func run(until count: Int = 1, _ isWanted: (WatchNotice) -> Bool) throws {
    try loop.run { self.notices.count(where: isWanted) >= count }
  }

  /// Runs until so many files were submitted.
  func run(untilSubmitted count: Int) throws {
    try run(until: count) { if case .submitted = $0 { true } else { false } }
  }

  /// The names of the files that are jobs, in the order of their submission.
  func inputs() throws -> [String] {
    var filter = JobFilter()
    filter.newestFirst = false
    filter.limit = 10_000
    return try store.list(filter).map { Files.name(of: $0.input) }
  }
}

/// What a run was to wait for did not happen.
struct NeverCame: Error {}

/// A job of a file.
func job(_ path: String, recipe: String = "r") -> NewJob {
  NewJob(
    input: path, output: "/out",
    recipe: JobRecipe(name: recipe, digest: "digest of \(recipe)", canonicalJSON: "{}"))
}
