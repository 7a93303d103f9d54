import AudioCache
import Platform
import Synchronization

/// A thread that works on a cache for an event loop, which never has to wait for the disk or for other
/// processes.
///
/// Does one thing at a time, in the order of the requests. Ends with this value; what it has not begun
/// by then stays undone.
final class CacheThread {
  private let loop: EventLoop
  private let requests: Pipe
  private let answers: Pipe
  private let works = WorkQueue()
  private var thread: WorkerThread?
  /// What to do with the answers, in the order of the requests.
  private var completions: [() throws -> Void] = []

  /// What the thread has to do.
  private final class WorkQueue: Sendable {
    private let works = Mutex<[@Sendable (TrackCache) -> Void]>([])

    func add(_ work: @escaping @Sendable (TrackCache) -> Void) {
      works.withLock { $0.append(work) }
    }

    func next() -> (@Sendable (TrackCache) -> Void)? {
      works.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
  }

  /// What came of a request, on its way back.
  private final class Answer<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Starts a thread with a cache of its own, which it makes itself.
  init(_ loop: EventLoop, cache: @escaping @Sendable () -> TrackCache) throws {
    self.loop = loop
    requests = try Pipe()
    answers = try Pipe()
    let requests = try requests.reader.duplicate().release()
    let answers = try answers.writer.duplicate().release()
    thread = try WorkerThread { [works] in
      let requests = FileDescriptor(owning: requests)
      let answers = FileDescriptor(owning: answers)
      let cache = cache()
      // Each byte stands for a request, and its end for that of this value.
      while case .bytes? = try? requests.read(upTo: 1), let work = works.next() {
        work(cache)
        try? answers.writeAll([0])
      }
    }
    try loop.add(self.answers.reader.rawValue) { [unowned self] _ in try hear() }
  }

  deinit {
    loop.remove(answers.reader.rawValue)
    thread.take()?.detach()
  }

  /// Waits until all is done that was asked for, and the cache has noted what was used.
  ///
  /// Nothing can be asked for any more, and no completion is called.
  func finish() {
    // A byte without a request ends the thread.
    guard (try? requests.writer.writeAll([0])) != nil else { return }
    thread.take()?.join()
  }

  /// Has the thread do `body`, and calls `completion` in the loop with what came of it.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable (TrackCache) throws -> Value,
    then completion: @escaping (Result<Value, any Error>) throws -> Void
  ) throws {
    let answer = Answer<Value>()
    works.add { cache in
      let result = Result { try body(cache) }
      answer.result.withLock { $0 = result }
    }
    completions.append {
      if let result = answer.result.withLock({ $0 }) { try completion(result) }
    }
    try requests.writer.writeAll([0])
  }

  private func hear() throws {
    guard case .bytes(let bytes) = try answers.reader.read(upTo: 64) else { return }
    for _ in bytes where !completions.isEmpty { try completions.removeFirst()() }
  }
}
