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

extension QueueOptions {
  /// Does something to each of some jobs and tells what became of it; one that cannot be done does not
  /// keep the others from it.
  ///
  /// - Throws: the exit code of the first that could not be done.
  func forEach(_ ids: [Int], _ body: (JobStore, Job.ID) throws -> String) throws {
    let store = try open(.client)
    var firstFailure: ExitCode?
    for id in ids {
      do {
        Output.message("job \(id): \(try body(store, Int64(id)))")
      } catch {
        let report = ErrorReport(error)
        Output.message("keymill: \(report.message)")
        firstFailure = firstFailure ?? report.exitCode
      }
    }
    ring(store)
    if let firstFailure { throw firstFailure }
  }
}
