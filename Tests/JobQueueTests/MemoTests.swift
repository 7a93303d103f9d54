import Digests
import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct MemoTests {
  private func key(_ input: String = "bytes", recipe: String = "d1", engine: String = "1.0")
    -> MemoKey
  {
    MemoKey(input: SHA256Digest(of: input), recipeDigest: recipe, engine: engine)
  }

  /// Completes a job with a key, and gives its number.
  @discardableResult
  private func complete(
    _ store: JobStore, output: String = "out/clip", key: MemoKey?, from reused: Job.ID? = nil
  ) throws -> Job.ID {
    let id = try store.submit { $0.output = output }
    let lease = try #require(try store.claimLease())
    let completion = Completion(result: #"{"of":\#(id)}"#, memoKey: key, reusedFrom: reused)
    try store.finish(lease, as: .completed(completion), now: start)
    return id
  }

  @Test func `an output is found by the bytes, the recipe and the engine it was made with`() throws
  {
    let store = try openStore()
    let id = try complete(store, key: key())
    let memo = Memo(job: id, output: "out/clip", result: #"{"of":\#(id)}"#)
    #expect(try store.memos(for: key()) == [memo])
    for other in [key("other"), key(recipe: "d2"), key(engine: "1.1")] {
      #expect(try store.memos(for: other) == [])
    }
  }

  @Test func `the newest output comes first, and says whose it was`() throws {
    let store = try openStore()
    let first = try complete(store, output: "out/a", key: key())
    let second = try complete(store, output: "out/b", key: key(), from: first)
    #expect(try store.memos(for: key()).map(\.output) == ["out/b", "out/a"])
    #expect(try store.job(second)?.reusedFrom == first)
    #expect(try store.job(first)?.reusedFrom == nil)
  }

  @Test func `an output without a key is given to nobody`() throws {
    let store = try openStore()
    try complete(store, key: nil)
    #expect(try store.memos(for: key()) == [])
  }

  @Test func `the same recipe under another name makes the same output`() throws {
    let store = try openStore()
    try store.submit { $0.recipe.name = "first" }
    let lease = try #require(try store.claimLease())
    try store.finish(lease, as: .completed(Completion(memoKey: key())), now: start)
    #expect(try store.memos(for: key()).count == 1)
  }

  @Test func `a pruned job's output is forgotten`() throws {
    let store = try openStore()
    try complete(store, key: key())
    try store.prune(endedBefore: start + 1)
    #expect(try store.memos(for: key()) == [])
  }

  @Test func `a compacted job's output is remembered without its result document`() throws {
    let store = try openStore()
    let id = try complete(store, key: key())
    try store.compact(endedBefore: start + 1)
    #expect(try store.memos(for: key()) == [Memo(job: id, output: "out/clip", result: nil)])
  }

  @Test func `a forced job says so`() throws {
    let store = try openStore()
    let id = try store.submit { $0.isForced = true }
    #expect(try store.claimNext()?.isForced == true)
    #expect(try store.job(id)?.isForced == true)
    #expect(try store.job(try store.submit())?.isForced == false)
  }

  @Test func `a whole output is found to be a completed job's by what it is made of`() throws {
    let store = try openStore()
    let done = try complete(store, output: "out/a", key: key())
    #expect(try store.completedJob(withOutput: "out/a", key: key()) == done)
    #expect(try store.completedJob(withOutput: "out/b", key: key()) == nil)
    #expect(try store.completedJob(withOutput: "out/a", key: key("other")) == nil)
  }
}
