import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct OutputPlanTests {
  /// Puts each job to `out/clip`, or with a number behind it where that is another input's.
  private func plan(_ inputs: [String]) -> OutputPlanner {
    { claimed in
      var claimed = claimed
      return inputs.map { input in
        let names = ["out/clip"] + (2...9).map { "out/clip-\($0)" }
        let free = names.first { claimed[$0] ?? input == input } ?? ""
        claimed[free] = input
        return free
      }
    }
  }

  private func submit(_ store: JobStore, _ inputs: String...) throws -> [String] {
    try store.submit(inputs.map { newJob($0) }, under: "out", now: start, plan: plan(inputs))
      .map(\.job.output)
  }

  @Test func `inputs of one name get places of their own`() throws {
    let store = try openStore()
    #expect(try submit(store, "a/clip", "b/clip") == ["out/clip", "out/clip-2"])
    #expect(try submit(store, "c/clip", "a/clip") == ["out/clip-3", "out/clip"])
  }

  @Test func `a place that somebody else took while it was chosen is chosen anew`() throws {
    let store = try openStore()
    let other = try openStore()
    var calls = 0
    let submission = try store.submit([newJob("a/clip")], under: "out", now: start) { claimed in
      calls += 1
      if calls == 1 { _ = try submit(other, "b/clip") }
      return try plan(["a/clip"])(claimed)
    }
    #expect(submission[0].job.output == "out/clip-2")
    #expect(calls == 2)
  }

  @Test func `the same input may be submitted to one place by two at once`() throws {
    let store = try openStore()
    let other = try openStore()
    var calls = 0
    let submission = try store.submit([newJob("a/clip")], under: "out", now: start) { claimed in
      calls += 1
      if calls == 1 { _ = try submit(other, "a/clip") }
      return try plan(["a/clip"])(claimed)
    }
    #expect(submission[0].job.output == "out/clip")
    #expect(calls == 1)
  }

  @Test func `where no place can be chosen nothing is added`() throws {
    let store = try openStore()
    #expect(throws: CocoaError.self) {
      try store.submit([newJob()], under: "out", now: start) { _ in
        throw CocoaError(.fileWriteFileExists)
      }
    }
    #expect(try store.list().isEmpty)
  }
}
