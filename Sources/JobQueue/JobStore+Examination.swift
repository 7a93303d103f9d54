internal import Glibc
internal import SQLite

extension JobStore {
  /// Looks for what is not as it should be; reads the whole file.
  ///
  /// `bootNow` and `isAlive` are as in ``reclaim(by:bootNow:now:grace:isAlive:)``.
  public func examine(bootNow: Int64, isAlive: (OwnerIdentity) -> Bool) throws -> [Finding] {
    let damage = try damage()
    // Where pages are damaged, what is read from them says nothing.
    guard !damage.contains(where: { $0.kind == .damage }) else { return damage }
    return try damage + stuckLeases(bootNow, isAlive) + lostChildren() + wrongCounters()
      + unreadableSchedules() + swollenLog() + emptySpace()
  }

  private func damage() throws -> [Finding] {
    do {
      return try read { try connection.query("PRAGMA integrity_check(20)") { row in row[0] } }
        .filter { $0 != "ok" }
        .map { line in Finding(line.contains("index") ? .index : .damage, line) }
        + lostReferences()
    } catch let error as QueueError where error.code == .corrupt {
      return [Finding(.damage, error.description)]
    }
  }

  private func lostReferences() throws -> [Finding] {
    try read {
      try connection.query("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT 20")
      {
        row in
        let row = (table: row[0] as String, number: row[1] as Int64?, parent: row[2] as String)
        return Finding(
          .damage,
          "row \(row.number ?? 0) of \(row.table) refers to a \(row.parent) that is not there")
      }
    }
  }

  /// Leases that no live supervisor holds.
  private func stuckLeases(
    _ bootNow: Int64, _ isAlive: (OwnerIdentity) -> Bool
  ) throws -> [Finding] {
    let held = try read { try heldLeases() }
    var alive: [OwnerIdentity: Bool] = [:]
    return held.compactMap { held in
      let job = "job \(held.lease.jobID) is running"
      guard let owner = held.owner else {
        return Finding(.lease, "\(job), but its supervisor is not known")
      }
      let isAlive = alive[owner] ?? isAlive(owner)
      alive[owner] = isAlive
      if !isAlive { return Finding(.lease, "\(job), but its supervisor \(owner.pid) is dead") }
      guard held.until <= bootNow else { return nil }
      let seconds = (bootNow - held.until) / 1000
      return Finding(.lease, "\(job), but its lease ran out \(seconds) s ago")
    }
  }

  private func lostChildren() throws -> [Finding] {
    try read { try releasableJobs() }.map { id in
      Finding(.dependency, "job \(id) is blocked, but all that it comes after have ended")
    }
  }

  private func wrongCounters() throws -> [Finding] {
    try read { try counterErrors() }.map { error in
      Finding(
        .counter,
        "the counter “\(error.name)” of queue \(error.queue) is \(error.found), "
          + "not \(error.right)")
    }
  }

  private func unreadableSchedules() throws -> [Finding] {
    try schedules().compactMap { schedule in
      do {
        _ = try CronExpression(schedule.cron)
        return nil
      } catch {
        return Finding(.schedule, "the schedule “\(schedule.name)” cannot be read: \(error)")
      }
    }
  }

  private func swollenLog() throws -> [Finding] {
    let size = Self.size(of: path + "-wal")
    // Half as much again as what the journal's limit shrinks it to.
    guard size > Self.logLimit * 3 / 2 else { return [] }
    return [
      Finding(
        .log, "the write-ahead log has \(size >> 20) MB; a reader keeps it from being emptied")
    ]
  }

  private func emptySpace() throws -> [Finding] {
    let (free, all) = try readTogether {
      (
        try connection.integer("PRAGMA freelist_count"), try connection.integer("PRAGMA page_count")
      )
    }
    guard free > 2560, free > all / 2 else { return [] }
    return [Finding(.space, "\(free * 100 / all) % of the file are empty")]
  }

  private static func size(of path: String) -> Int64 {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 ? Int64(facts.st_size) : 0
  }
}
