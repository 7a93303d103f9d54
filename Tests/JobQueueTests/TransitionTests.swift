import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct TransitionTests {
  /// Tries to make a transition happen to a job by what the store offers.
  private func attempt(_ transition: Transition, on id: Job.ID, _ store: JobStore) throws {
    let lease = try store.job(id)?.lease
    func end(_ ending: Ending) throws {
      if let lease { try store.finish(lease, as: ending, now: start) }
    }
    switch transition {
    case .submitted: break
    case .unblocked: try endParent(of: id, as: .completed(Completion()), store)
    case .deferred: break
    case .parentFailed: try endParent(of: id, as: .failed("no", .permanent), store)
    case .due: try store.promoteDue(now: start + 60)
    case .claimed: _ = try store.claimNext()
    case .completed: try end(.completed(Completion()))
    case .failed: try end(.failed("no video", .permanent))
    case .retrying: try end(.failed("timed out", .transient))
    case .postponed: try end(.postponed("no space", until: start + 60))
    case .released: try end(.released("stopping"))
    case .crashed: try end(.crashed("signal 11"))
    case .lost: try store.reclaim(by: otherSupervisor, bootNow: 0, now: start) { _ in false }
    case .quarantined: try end(.crashed("signal 11"))
    case .cancelRequested, .cancelled: _ = try store.cancel(id, now: start)
    case .retried: _ = try? store.retry(id, now: start)
    }
  }

  private func endParent(of id: Job.ID, as ending: Ending, _ store: JobStore) throws {
    try store.resume(queue: "parents")
    guard try store.job(id)?.state == .blocked, let lease = try store.claimLease() else { return }
    try store.finish(lease, as: ending, now: start)
  }

  /// Every state with every transition that an operation asks for by itself.
  ///
  /// A cancellation requests of running jobs what it does to others; what leads to `deferred` and
  /// `quarantined` depends on a job's history, and has tests of its own.
  static let pairs = JobState.allCases.flatMap { state in
    Transition.allCases.filter { transition in
      switch transition {
      case .submitted, .deferred, .quarantined: false
      case .cancelRequested: state == .running || state.isFinal
      case .cancelled: state != .running
      default: true
      }
    }.map { (state, $0) }
  }

  @Test(arguments: pairs)
  func `a transition leads where the table says, and from nowhere else`(
    state: JobState, transition: Transition
  ) throws {
    let store = try openStore()
    let id = try store.makeJob(in: state)
    let before = try store.events(of: id).count
    #expect(try store.job(id)?.state == state)
    try attempt(transition, on: id, store)
    let after = try #require(try store.job(id)).state
    let events = try store.events(of: id).dropFirst(before)
    if transition.sources.contains(state) {
      #expect(after == transition.target)
      #expect(events.first?.kind == transition)
      #expect(events.first?.state == after)
    } else {
      #expect(after == state)
      #expect(events.isEmpty)
    }
  }

  @Test func `a running job that was cancelled ends as cancelled, however its attempt ended`()
    throws
  {
    for ending in [
      Ending.cancelled, .failed("no", .permanent), .failed("no", .transient), .crashed("signal 15"),
      .released("stopping"), .postponed("no space", until: start + 60), .lost("gone"),
    ] {
      let store = try openStore()
      let id = try store.makeJob(in: .running)
      #expect(try store.cancel(id, now: start) == .requested)
      let lease = try #require(try store.job(id)?.lease)
      #expect(try store.finish(lease, as: ending, now: start) == .cancelled)
    }
  }

  @Test func `a running job that completed before it could be ended is completed`() throws {
    let store = try openStore()
    let id = try store.makeJob(in: .running)
    _ = try store.cancel(id, now: start)
    let lease = try #require(try store.job(id)?.lease)
    #expect(try store.finish(lease, as: .completed(Completion()), now: start) == .completed)
  }

  @Test func `final states are left by a retry only`() {
    for state in JobState.allCases where state.isFinal {
      let exits = Transition.allCases.filter { $0.sources.contains(state) }
      #expect(exits == (state == .completed ? [] : [.retried]))
    }
  }

  @Test func `names of states and transitions are unique and found again`() {
    #expect(Set(Transition.allCases.map(\.name)).count == Transition.allCases.count)
    for state in JobState.allCases { #expect(JobState(name: state.name) == state) }
    #expect(JobState(name: "sleeping") == nil)
  }
}
