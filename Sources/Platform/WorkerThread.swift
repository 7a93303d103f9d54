import Glibc

/// A thread of its own, for work that blocks or computes for long.
///
/// Not one of Dispatch's: that library looks at its threads through `/proc`, which a confined process
/// cannot, and ends the process where it fails.
public struct WorkerThread: ~Copyable, Sendable {
  private let thread: pthread_t

  /// Starts a thread that runs `body` and ends; to be joined or detached.
  ///
  /// Wraps `pthread_create`.
  public init(_ body: @escaping @Sendable () -> Void) throws(PlatformError) {
    let box = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    // The new thread takes the box over.
    let code = unsafe pthread_create(&thread, nil, runThread, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      throw PlatformError(
        code: ErrorCode(rawValue: code), call: "pthread_create", subject: "thread")
    }
    self.thread = thread
  }

  /// Waits until the thread has ended.
  ///
  /// Wraps `pthread_join`.
  public consuming func join() { _ = pthread_join(thread, nil) }

  /// Leaves the thread to end by itself.
  ///
  /// Wraps `pthread_detach`.
  public consuming func detach() { _ = pthread_detach(thread) }
}

/// A closure on its way into a thread.
private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

@c private func runThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  // Comes from the one place that starts threads, and is taken once.
  guard let box = unsafe box else { return nil }
  unsafe Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().body()
  return nil
}
