internal import SQLite

extension JobStore {
  /// The format of the queue file.
  ///
  /// `job` holds a job's whole row, `event` all that ever happened to it; what is long and seldom read
  /// (`result`, `log`) and what many jobs share (`queue`, `recipe`, `engine`) is kept apart. Partial
  /// indexes cover single states, so that history costs the living jobs nothing; each names the states
  /// by their raw values (``JobState``). Times are milliseconds: of the wall clock since 1970, for
  /// `lease_until` of the boot clock.
  static let schema = Schema(
    applicationID: 0x6B6D_7131,  // "kmq1"
    migrations: [
      Migration(version1), Migration(version2, finish: hashRequestNames), Migration(version3),
    ])
}
