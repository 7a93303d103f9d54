public import FoundationEssentials
internal import SQLite

// The registry of supervisors, and settings.

extension JobStore {
  /// Enters a supervisor into the registry, or tells how it is now.
  public func register(
    _ owner: OwnerIdentity, host: String, processes: Int, now: Date
  ) throws {
    try write(.normal) {
      try connection.run(
        """
        INSERT INTO worker
          (supervisor, boot_id, pid, start_time, host, processes, started_at, seen_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET host = excluded.host, processes = excluded.processes,
          seen_at = excluded.seen_at
        """,
        owner.supervisor, owner.bootID, owner.pid, owner.startTime, host, processes,
        now.milliseconds, now.milliseconds)
    }
  }

  /// Takes a supervisor that stops out of the registry; jobs it still holds become orphans.
  public func deregister(_ owner: OwnerIdentity) throws {
    try write(.normal) {
      try connection.run("DELETE FROM worker WHERE supervisor = ?", owner.supervisor)
    }
  }

  /// The supervisors in the registry, oldest first.
  public func workers() throws -> [WorkerRecord] {
    try readTogether {
      let running = Dictionary(grouping: try heldJobs(), by: \.worker)
      return try workerRows().map { id, identity in
        try connection.query(
          """
          SELECT host, processes, desired_processes, started_at, seen_at FROM worker WHERE id = ?
          """, id
        ) { row in
          WorkerRecord(
            identity: identity, host: row[0], processes: row[1], desiredProcesses: row[2],
            startedAt: Date(milliseconds: row[3]), seenAt: Date(milliseconds: row[4]),
            running: running[id, default: []].map(\.job))
        }
      }.flatMap { $0 }
    }
  }

  /// Asks a supervisor, or all of them, to run so many job processes.
  ///
  /// - Returns: how many supervisors were asked.
  @discardableResult
  public func scale(to processes: Int, supervisor: String? = nil) throws -> Int {
    try write(.normal) {
      try connection.run(
        "UPDATE worker SET desired_processes = ? WHERE ?2 IS NULL OR supervisor = ?2",
        processes, supervisor)
    }
  }

  /// How many job processes a supervisor was asked to run, if anybody asked.
  public func desiredProcesses(of owner: OwnerIdentity) throws -> Int? {
    try read {
      try connection.first(
        "SELECT desired_processes FROM worker WHERE supervisor = ?", owner.supervisor
      ) { row in row[0] as Int? } ?? nil
    }
  }

  /// A setting that is kept with the queue.
  public func setting(_ name: String) throws -> String? {
    try read { try connection.first("SELECT value FROM setting WHERE name = ?", name) { $0[0] } }
  }

  /// Keeps a setting with the queue, or removes it.
  public func setSetting(_ name: String, to value: String?) throws {
    try write(.full) {
      if let value {
        try connection.run(
          "INSERT INTO setting VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
          name, value)
      } else {
        try connection.run("DELETE FROM setting WHERE name = ?", name)
      }
    }
  }
}

// MARK: - Within a transaction

extension JobStore {
  /// The row of a supervisor, which is made if it never registered.
  func workerID(of owner: OwnerIdentity, now: Date) throws -> Int64 {
    if let id: Int64 = try connection.first(Self.selectWorker, owner.supervisor, row: { $0[0] }) {
      return id
    }
    try connection.run(
      """
      INSERT INTO worker (supervisor, boot_id, pid, start_time, host, processes, started_at, seen_at)
      VALUES (?, ?, ?, ?, '', 0, ?, ?)
      """,
      owner.supervisor, owner.bootID, owner.pid, owner.startTime, now.milliseconds,
      now.milliseconds)
    return connection.lastInsertedRowID
  }

  func workerRows() throws -> [(id: Int64, identity: OwnerIdentity)] {
    try connection.query(
      "SELECT id, boot_id, pid, start_time, supervisor FROM worker ORDER BY id"
    ) { row in (row[0], OwnerIdentity(row: row, from: 1)) }
  }

  func forgetWorker(_ id: Int64) throws {
    try connection.run("DELETE FROM worker WHERE id = ?", id)
  }

  private static let selectWorker: SQL = "SELECT id FROM worker WHERE supervisor = ?"

  private func heldJobs() throws -> [(worker: Int64, job: Job.ID)] {
    try connection.query("SELECT worker, id FROM job WHERE state = 3 ORDER BY id") { row in
      (row[0], row[1])
    }
  }
}

extension OwnerIdentity {
  /// Reads boot id, process id, start time and name from four columns.
  init(row: borrowing Statement, from column: Int) {
    self.init(
      bootID: row[column], pid: row[column + 1], startTime: row[column + 2],
      supervisor: row[column + 3])
  }
}
