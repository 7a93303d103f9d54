import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct JobJSONTests {
  private func json(_ value: some Encodable) throws -> [String: any Sendable] {
    let data = try JSONEncoder().encode(value)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: any Sendable])
  }

  @Test func `a job has every field of the contract, null where it has no value`() throws {
    let store = try openStore()
    let fields = try json(JobJSON(try #require(try store.job(try store.submit()))))
    let contract = [
      "id", "state", "queue", "priority", "input", "output", "recipe", "batch", "attempt",
      "crashes", "progress", "error", "createdAt", "startedAt", "finishedAt",
    ]
    #expect(Set(contract).isSubset(of: fields.keys))
    #expect(fields["state"] as? String == "available")
    #expect(fields["recipe"] as? String == "sprite")
    #expect(fields["createdAt"] as? String == "2025-06-15T15:06:40.000Z")
    #expect(fields["startedAt"] is NSNull)
    #expect(fields["progress"] as? Double == 0)
  }

  @Test func `progress, times and the owner of a running job are shown`() throws {
    let store = try openStore()
    let id = try store.submit { $0.timeout = .milliseconds(1500) }
    let lease = try #require(try store.claimNext(now: start + 0.5)?.lease)
    let progress = Progress(
      fraction: 0.25, stage: "key", frames: 9, fps: 12.5, remaining: .seconds(2))
    _ = try store.update([(lease, progress)])
    let fields = try json(JobJSON(try #require(try store.job(id))))
    #expect(fields["progress"] as? Double == 0.25)
    #expect(fields["stage"] as? String == "key")
    #expect(fields["eta"] as? Double == 2)
    #expect(fields["timeout"] as? Double == 1.5)
    #expect(fields["pid"] as? Int == 100)
    #expect(fields["startedAt"] as? String == "2025-06-15T15:06:40.500Z")
  }

  @Test func `attempts and events are shown by name`() throws {
    let store = try openStore()
    let id = try store.makeJob(in: .quarantined)
    let attempt = try json(AttemptJSON(try #require(try store.attempts(of: id).last)))
    #expect(attempt["outcome"] as? String == "quarantined")
    #expect(attempt["number"] as? Int == 3)
    let event = try json(EventJSON(try #require(try store.events(of: id).last)))
    #expect(event["event"] as? String == "quarantined")
    #expect(event["state"] as? String == "quarantined")
    #expect(event["job"] as? Int64 == id)
  }

  @Test func `statistics count by state and by queue`() throws {
    let store = try openStore()
    _ = try store.makeJob(in: .failed)
    let fields = try json(try store.stats())
    let states = try #require(fields["states"] as? [String: Int])
    #expect(Set(states.keys) == Set(JobState.allCases.map(\.name)))
    #expect(states["failed"] == 1)
    let queues = try #require(fields["queues"] as? [String: [String: Int]])
    #expect(queues["default"]?["failed"] == 1)
  }
}
