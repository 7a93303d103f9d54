import Dispatch
import Synchronization

/// Runs independent pieces of work on a bounded number of threads, so that the decoder goes on while
/// earlier frames are keyed and compressed.
///
/// At most `width` pieces are under way: `add` blocks beyond that, which is what keeps a job's memory
/// bounded by the frame and not by the length of the clip. With a width of one everything runs on the
/// caller's thread.
final class WorkPool: Sendable {
  private let width: Int
  private let slots: DispatchSemaphore
  private let queue = DispatchQueue(label: "keymill.frames", attributes: .concurrent)
  private let failure = Mutex<(any Error)?>(nil)

  /// A pool of at most `width` threads.
  init(width: Int) {
    self.width = max(1, width)
    slots = DispatchSemaphore(value: self.width)
  }

  /// Starts a piece of work, waiting first for a free thread.
  ///
  /// - Throws: the first error that an earlier piece has thrown.
  func add(_ work: @escaping @Sendable () throws -> Void) throws {
    try rethrow()
    guard width > 1 else { return try work() }
    slots.wait()
    queue.async {
      defer { self.slots.signal() }
      do { try work() } catch { self.note(error) }
    }
  }

  /// Waits until all work is done.
  ///
  /// - Throws: the first error that a piece has thrown.
  func finish() throws {
    for _ in 0..<width { slots.wait() }
    for _ in 0..<width { slots.signal() }
    try rethrow()
  }

  private func note(_ error: any Error) {
    failure.withLock { if $0 == nil { $0 = error } }
  }

  private func rethrow() throws {
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
