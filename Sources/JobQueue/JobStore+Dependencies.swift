internal import FoundationEssentials
internal import SQLite

extension JobStore {
  /// Tells the jobs that come after `parent` that it has ended; those that fail for it tell their own.
  func settleChildren(of parent: Job.ID, endedAs state: JobState, now: Date) throws {
    var ended = [(id: parent, state: state)]
    while let (parent, state) = ended.popLast() {
      for (child, runsAfterAny) in try blockedChildren(of: parent) {
        if state == .completed || runsAfterAny {
          try countDown(child, now)
        } else {
          try failChild(child, of: parent, state, now)
          ended.append((child, .failed))
        }
      }
    }
  }

  private func blockedChildren(of parent: Job.ID) throws -> [(Job.ID, runsAfterAny: Bool)] {
    try connection.query(
      """
      SELECT d.child, d.any_ending FROM dependency d JOIN job j ON j.id = d.child
      WHERE d.parent = ? AND j.state = \(JobState.blocked.rawValue)
      """, parent
    ) { row in (row[0], row[1]) }
  }

  /// Lets a job go that waits for one job less, if that was the last.
  func countDown(_ child: Job.ID, _ now: Date) throws {
    try connection.run("UPDATE job SET pending = pending - 1 WHERE id = ?", child)
    let isLater = try connection.first(
      "SELECT ifnull(due_at, 0) > ? FROM job WHERE id = ? AND pending <= 0", now.milliseconds, child
    ) { row in row[0] as Bool }
    guard let isLater else { return }
    try move(child, by: isLater ? .deferred : .unblocked, now: now)
  }

  func failChild(
    _ child: Job.ID, of parent: Job.ID, _ state: JobState, _ now: Date
  ) throws {
    let reason = "job \(parent), which it comes after, is \(state.name)"
    try connection.run(
      "UPDATE job SET error = ?, finished_at = ? WHERE id = ?", reason, now.milliseconds, child)
    try move(child, by: .parentFailed, detail: reason, now: now)
  }
}
