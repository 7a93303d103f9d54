import Commands
import JobQueue
import Platform

/// Which queue a command works on.
struct QueueOptions: ParsableArguments {
  @Option(
    help: "The queue's file; $KEYMILL_DB, or else queue.db in the state directory.",
    valueName: "file")
  var db: String?

  /// The path of the queue's file.
  var path: String {
    if let db { return db }
    let environment = Environment.current
    if let path = environment["KEYMILL_DB"], !path.isEmpty { return path }
    return BaseDirectories(environment: environment).stateHome + "/keymill/queue.db"
  }

  /// Opens the queue.
  func open(_ role: JobStore.Role) throws -> JobStore {
    try JobStore(path: Files.absolutePath(path), role: role)
  }

  /// Wakes the pools of a queue after something in it became ready; a pool that misses it looks by
  /// itself a second later.
  func ring(_ store: JobStore) { try? Doorbell(besideQueue: store.path).ring() }
}

/// Jobs by their numbers, as arguments.
struct JobArguments: ParsableArguments {
  @Argument(help: "The jobs' numbers.", valueName: "id")
  var ids: [Int]
}
