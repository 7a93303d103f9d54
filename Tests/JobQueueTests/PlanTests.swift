@testable import JobQueue
import SQLite
import TestSupport
import Testing

/// The queries that must not slow down with the backlog or the history, by their plans.
@Suite(.temporaryDirectory) struct PlanTests {
  private func plan(_ sql: SQL) throws -> String {
    let connection = try openStore().connection
    let statement = try connection.prepare("EXPLAIN QUERY PLAN \(sql)")
    var lines: [String] = []
    while try statement.step() { lines.append(statement[3]) }
    return lines.joined(separator: "\n")
  }

  @Test func `a claim reads the ready jobs in the order of their index`() throws {
    let plan = try plan(JobStore.selectReady)
    #expect(plan.contains("USING INDEX job_ready (queue=?)"))
    #expect(!plan.contains("TEMP B-TREE"))
  }

  @Test func `due jobs are found in the order of their times`() throws {
    let plan = try plan(
      "SELECT id FROM job WHERE state = 1 AND due_at <= ? ORDER BY due_at LIMIT 1000")
    #expect(plan.contains("USING INDEX job_due (due_at<?)"))
    #expect(!plan.contains("TEMP B-TREE"))
  }

  @Test(arguments: [
    ("SELECT min(due_at) FROM job WHERE state = 1", "job_due"),
    ("SELECT count(*) FROM job WHERE state = 3 AND queue = ?", "job_running"),
    (JobStore.selectCounts, "job_ready"),
    (JobStore.selectCounts, "job_due"),
    (JobStore.selectLeaseExpiry, "job_running"),
    ("SELECT EXISTS (SELECT 1 FROM job WHERE state = 2)", "job_ready"),
  ])
  func `a question about one state reads its index only`(sql: SQL, index: String) throws {
    #expect(try plan(sql).contains("INDEX \(index)"))
  }

  @Test func `the newest jobs are listed without sorting`() throws {
    let plan = try plan("\(Job.select) WHERE 1 ORDER BY id DESC LIMIT 20")
    #expect(plan.hasPrefix("SCAN job\n"))
    #expect(!plan.contains("TEMP B-TREE"))
  }

  @Test(arguments: [JobState.completed, .failed])
  func `the newest jobs of a final state are listed without sorting`(state: JobState) throws {
    let plan = try plan(
      """
      \(Job.select) INDEXED BY job_state WHERE state = \(state.rawValue) AND \(JobStore.inStateIndex)
      ORDER BY id DESC LIMIT 20
      """)
    #expect(plan.contains("USING INDEX job_state (state=?)"))
    #expect(!plan.contains("TEMP B-TREE"))
  }
}
