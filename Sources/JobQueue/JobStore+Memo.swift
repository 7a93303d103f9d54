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

  /// The newest completed job that published just this to an output directory, for a whole output that
  /// is found there.
  public func completedJob(withOutput output: String, key: MemoKey) throws -> Job.ID? {
    try read {
      try connection.first(
        Self.selectCompleted, key.input.bytes, key.recipeDigest, key.engine, output
      ) { row in row[0] }
    }
  }

  /// The number of an engine version; within a write transaction.
  func engineID(_ version: String) throws -> Int64 {
    try connection.run("INSERT INTO engine (version) VALUES (?) ON CONFLICT DO NOTHING", version)
    return try connection.first("SELECT id FROM engine WHERE version = ?", version) { $0[0] } ?? 0
  }

  private static let selectMemo = SQL(
    """
    SELECT j.id, j.output, (SELECT document FROM result WHERE job_id = j.id)
    \(withKey) ORDER BY j.id DESC LIMIT 8
    """)
  private static let selectCompleted = SQL(
    "SELECT j.id \(withKey) AND j.output = ?4 ORDER BY j.id DESC LIMIT 1")

  private static let withKey = """
    FROM job j INDEXED BY job_input
    JOIN recipe r ON r.id = j.recipe JOIN engine e ON e.id = j.engine
    WHERE substr(j.input_digest, 1, 8) = substr(?1, 1, 8) AND j.input_digest = ?1
      AND j.state = 4 AND r.digest = ?2 AND e.version = ?3
    """
}
