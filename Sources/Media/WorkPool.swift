import Dispatch
import Platform
import Synchronization

/// Runs independent pieces of work on a bounded number of threads, so that the decoder goes on while
/// earlier frames are keyed and compressed.
///
/// At most `width` pieces are under way: `add` blocks beyond that, which is what keeps a job's memory
/// bounded by the frame and not by the length of the clip. With a width of one everything runs on the
/// caller's thread. The threads are started as they are needed and end with the pool.
final class WorkPool: Sendable {
  typealias Work = @Sendable () throws -> Void

  private let width: Int
  private let crew: Crew

  /// A pool of at most `width` threads.
  init(width: Int) {
    self.width = max(1, width)
    crew = Crew(size: self.width)
  }

  deinit { crew.dismiss() }

  /// Starts a piece of work, waiting first for a free thread.
  ///
  /// - Throws: the first error that an earlier piece has thrown, or that no thread can be had.
  func add(_ work: @escaping Work) throws {
    try crew.rethrow()
    guard width > 1 else { return try work() }
    try crew.add(work)
  }

  /// Waits until all work is done.
  ///
  /// - Throws: the first error that a piece has thrown.
  func finish() throws {
    crew.waitUntilIdle()
    try crew.rethrow()
  }
}

/// The threads of a pool, which hold on to this and not to the pool itself.
private final class Crew: Sendable {
  private struct State {
    var waiting: [WorkPool.Work] = []
    var underWay = 0
    var threads = 0
    var failure: (any Error)?
  }

  private let size: Int
  private let slots: DispatchSemaphore
  /// Counts what is waiting, and one for each thread once they are dismissed.
  private let calls = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  init(size: Int) {
    self.size = size
    slots = DispatchSemaphore(value: size)
  }

  func add(_ work: @escaping WorkPool.Work) throws(PlatformError) {
    slots.wait()
    do throws(PlatformError) {
      try hireIfAllAreBusy()
    } catch {
      slots.signal()
      throw error
    }
    state.withLock { state in
      state.waiting.append(work)
      state.underWay += 1
    }
    calls.signal()
  }

  private func hireIfAllAreBusy() throws(PlatformError) {
    guard state.withLock({ $0.threads == $0.underWay }) else { return }
    try WorkerThread { self.serve() }.detach()
    state.withLock { $0.threads += 1 }
  }

  func waitUntilIdle() {
    for _ in 0..<size { slots.wait() }
    for _ in 0..<size { slots.signal() }
  }

  func dismiss() {
    for _ in 0..<state.withLock({ $0.threads }) { calls.signal() }
  }

  func rethrow() throws {
    if let error = state.withLock({ $0.failure }) { throw error }
  }

  /// What each thread does.
  private func serve() {
    while let work = next() {
      var failure: (any Error)?
      do { try work() } catch { failure = error }
      state.withLock { state in
        state.underWay -= 1
        if state.failure == nil { state.failure = failure }
      }
      slots.signal()
    }
  }

  private func next() -> WorkPool.Work? {
    calls.wait()
    return state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
  }
}
