import Foundation
import JobQueue
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct ScheduleTests {
  /// Every hour; the tests begin at 15:06:40.
  private func hourly(_ change: (inout NewJob) -> Void = { _ in }) throws -> NewSchedule {
    var job = newJob("radio.mp3")
    change(&job)
    return NewSchedule(name: "radio", cron: try CronExpression("0 * * * *"), job: job)
  }

  private let firstTick = start + 53 * 60 + 20

  @Test func `a schedule comes back as it was added`() throws {
    let store = try openStore()
    let new = try hourly {
      $0.queue = "night"
      $0.priority = -1
      $0.batch = "radio"
      $0.timeout = .seconds(9)
      $0.maxAttempts = 2
      $0.isUnique = true
      $0.isForced = true
    }
    let added = try store.addSchedule(new, now: start)
    #expect(added.job == new.job)
    #expect((added.name, added.cron) == ("radio", "0 * * * *"))
    #expect((added.createdAt, added.nextAt, added.firedAt) == (start, firstTick, nil))
    #expect(try store.schedules() == [added])
  }

  @Test func `nothing is submitted before its time, one job at it, and one at the next`() throws {
    let store = try openStore()
    try store.addSchedule(hourly(), now: start)
    #expect(try store.nextDue() == firstTick)
    #expect(try store.fireDueSchedules(now: firstTick - 1).isEmpty)
    let jobs = try store.fireDueSchedules(now: firstTick)
    #expect(jobs.map(\.input) == ["radio.mp3"])
    #expect(try store.fireDueSchedules(now: firstTick + 1).isEmpty)
    #expect(try store.nextDue() == firstTick + 3600)
    #expect(try store.fireDueSchedules(now: firstTick + 3600).count == 1)
    let schedule = try #require(try store.schedules().first)
    #expect((schedule.firedAt, schedule.lastJob) == (firstTick + 3600, 2))
  }

  @Test func `times that were missed are made up for by one job`() throws {
    let store = try openStore()
    try store.addSchedule(hourly(), now: start)
    #expect(try store.promoteDue(now: firstTick + 100_000) == 1)
    #expect(try store.list().count == 1)
    #expect(try #require(try store.nextDue()) > firstTick + 100_000)
  }

  @Test func `a unique job is not submitted beside the one before`() throws {
    let store = try openStore()
    try store.addSchedule(hourly { $0.isUnique = true }, now: start)
    #expect(try store.fireDueSchedules(now: firstTick).count == 1)
    #expect(try store.fireDueSchedules(now: firstTick + 3600).isEmpty)
    #expect(try store.list().count == 1)
  }

  @Test func `a name is taken once, and free when its schedule is removed`() throws {
    let store = try openStore()
    try store.addSchedule(hourly(), now: start)
    #expect {
      try store.addSchedule(hourly(), now: start)
    } throws: {
      QueueError.Code.notAllowed ~= $0
    }
    try store.removeSchedule("radio")
    #expect(try store.schedules().isEmpty)
    #expect(try store.nextDue() == nil)
    try store.addSchedule(hourly(), now: start)
  }

  @Test func `a schedule that is not there is named in the error`() throws {
    let error = try #require(throws: QueueError.self) { try openStore().removeSchedule("tv") }
    #expect(error.code == .noSuchSchedule)
    #expect(error.description.contains("“tv”"))
  }

  @Test func `however many processes ask, a time has one job`() async throws {
    let store = try openStore()
    try store.addSchedule(hourly(), now: start)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [directory = TemporaryDirectory.path as String, tick = firstTick as Date] in
            let store = try JobStore(path: directory + "/queue.db", role: .client)
            for hour in 0..<50 {
              try store.fireDueSchedules(now: tick + Double(hour) * 3600)
            }
          }
        }
      }
    }
    let times = try store.events(after: 0).filter { $0.kind == .submitted }.map(\.at)
    #expect(Set(times).count == times.count)
    // A process that was late finds that others went ahead; none of the times is without a job.
    #expect(times.max() == firstTick + 49 * 3600)
    #expect(try store.nextDue() == firstTick + 50 * 3600)
  }
}
