import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Media

@Suite(.timeLimit(.minutes(10))) struct WorkPoolTests {
  private struct Fault: Error, Equatable { let number: Int }

  /// Counts the pieces that are under way.
  private final class Gauge: Sendable {
    private let now = Mutex((running: 0, most: 0, total: 0))

    func enter() {
      now.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1), $0.total + 1) }
    }
    func leave() { now.withLock { $0.running -= 1 } }
    var most: Int { now.withLock { $0.most } }
    var total: Int { now.withLock { $0.total } }
  }

  @Test(arguments: [1, 2, 3, 8])
  func `no more pieces are under way than the pool is wide, and each is done`(width: Int) throws {
    let pool = WorkPool(width: width)
    let gauge = Gauge()
    for _ in 0..<500 {
      try pool.add {
        gauge.enter()
        sched_yield()
        gauge.leave()
      }
    }
    try pool.finish()
    #expect(gauge.most <= width)
    #expect(gauge.total == 500)
  }

  @Test func `as many pieces as the pool is wide run at the same time`() throws {
    let pool = WorkPool(width: 3)
    let arrivals = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    for _ in 0..<3 {
      try pool.add {
        arrivals.signal()
        gate.wait()
      }
    }
    // Were they run one after the other, the second would never arrive.
    for _ in 0..<3 { arrivals.wait() }
    for _ in 0..<3 { gate.signal() }
    try pool.finish()
  }

  @Test func `a pool of one works on the caller's thread, at once`() throws {
    let pool = WorkPool(width: 1)
    let here = pthread_self()
    let isDone = Mutex(false)
    try pool.add {
      let isSame = pthread_equal(here, pthread_self()) != 0
      isDone.withLock { $0 = isSame }
    }
    #expect(isDone.withLock { $0 })
    try pool.finish()
  }

  @Test(arguments: [1, 4])
  func `the first error ends the work`(width: Int) {
    let pool = WorkPool(width: width)
    let started = Gauge()
    #expect(throws: Fault(number: 10)) {
      for number in 0..<100_000 {
        try pool.add {
          started.enter()
          if number >= 10 { throw Fault(number: 10) }
        }
      }
      try pool.finish()
    }
    _ = try? pool.finish()
    #expect(started.total < 100_000)
  }

  @Test func `an error of the last piece comes with the end`() throws {
    let pool = WorkPool(width: 2)
    try pool.add { throw Fault(number: 1) }
    #expect(throws: Fault(number: 1)) { try pool.finish() }
  }

  @Test func `the end waits for every piece`() throws {
    let pool = WorkPool(width: 4)
    let done = Mutex(0)
    for _ in 0..<4 {
      try pool.add {
        for _ in 0..<1000 { sched_yield() }
        done.withLock { $0 += 1 }
      }
    }
    try pool.finish()
    #expect(done.withLock { $0 } == 4)
  }
}
