extension JobStore {
  /// The third format: what each submit and each change of state wrote and few asked for is gone.
  ///
  /// A page that a commit changes is written and waited for, so a submit that changes three pages
  /// instead of five is a third faster. An output's directory needs no index of its own: whose it is,
  /// its manifest and the index on inputs tell. Of the counters those of final states are left, since
  /// living jobs have indexes that are counted as soon; the last numbers are kept only where the rows
  /// that have them go.
  static let version3 = """
    DROP INDEX job_output;
    DROP INDEX job_blocked;
    DROP INDEX job_ended;
    -- One index for the states without their own order: each costs every change of state. The test is
    -- no list, for which SQLite would build a table each time.
    CREATE INDEX job_state ON job (state, id, finished_at) WHERE state = 0 OR state >= 4;
    DELETE FROM counter WHERE name IN ('blocked', 'scheduled', 'available', 'running');
    """

  /// What a query has to say for the planner to see that `job_state` serves it.
  static let inStateIndex = "(state = 0 OR state >= 4)"
}
