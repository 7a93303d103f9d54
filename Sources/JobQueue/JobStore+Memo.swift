internal import Digests
internal import SQLite

extension JobStore {
  /// The newest outputs, at most eight, that were made of the same bytes by the same recipe and engine.
  ///
  /// A job that ``Job/isForced`` is to be given none of them. They are forgotten together with the
  /// jobs that made them.
  public func memos(for key: MemoKey) throws -> [Memo] {
    try read {
      try connection.query(Self.selectMemo, key.input.bytes, key.recipeDigest, key.engine) { row in
        Memo(job: row[0], output: row[1], result: row[2])
      }
    }
  }

  /// The newest completed job that published to an output directory.
  public func completedJob(withOutput output: String) throws -> Job? {
    try newestJob(withOutput: output, "state = 4")
  }

  /// The newest job that waits or runs and is going to publish to an output directory.
  public func liveJob(withOutput output: String) throws -> Job? {
    try newestJob(withOutput: output, "state < 4")
  }

  private func newestJob(withOutput output: String, _ condition: String) throws -> Job? {
    try read {
      try connection.first(
        "\(Job.select) INDEXED BY job_output WHERE output = ? AND \(condition) ORDER BY id DESC",
        output
      ) { row in try job(from: row) }
    }
  }

  /// The number of an engine version; within a write transaction.
  func engineID(_ version: String) throws -> Int64 {
    try connection.run("INSERT INTO engine (version) VALUES (?) ON CONFLICT DO NOTHING", version)
    return try connection.first("SELECT id FROM engine WHERE version = ?", version) { $0[0] } ?? 0
  }

  static let selectMemo: SQL = """
    SELECT j.id, j.output, (SELECT document FROM result WHERE job_id = j.id)
    FROM job j INDEXED BY job_input
    JOIN recipe r ON r.id = j.recipe JOIN engine e ON e.id = j.engine
    WHERE substr(j.input_digest, 1, 8) = substr(?1, 1, 8) AND j.input_digest = ?1
      AND j.state = 4 AND r.digest = ?2 AND e.version = ?3
    ORDER BY j.id DESC LIMIT 8
    """
}
