import Digests
internal import SQLite

/// A download that somebody has claimed.
struct ClaimRow: Hashable {
  let location: String
  /// Its number, which no other claim in this index ever had.
  let generation: Int64
  let owner: String
  /// Until when the owner need not be heard of, in milliseconds of the boot clock.
  let leaseUntilMS: Int64
  /// The file that it is written to.
  let partial: String
  let expectedSize: Int64?
  let validators: Validators
  /// Why it ended without a track; nil while it goes on.
  let failure: String?
  /// When it last changed, in milliseconds since 1970.
  let changedAtMS: Int64
  /// Whether it may come from a host that is not public.
  let allowsPrivate: Bool

  fileprivate static let columns =
    "location, generation, owner, lease_until, partial, expected, etag, last_modified, failure, "
    + "changed_at, allows_private"
}

extension ClaimRow {
  fileprivate init(_ row: borrowing Statement) {
    location = row[0]
    generation = row[1]
    owner = row[2]
    leaseUntilMS = row[3]
    partial = row[4]
    expectedSize = row[5]
    validators = Validators(etag: row[6], lastModified: row[7])
    failure = row[8]
    changedAtMS = row[9]
    allowsPrivate = row[10]
  }
}

extension CacheIndex {
  /// The claim on an origin, whatever became of it.
  func claim(_ key: SHA256Digest) throws -> ClaimRow? {
    try connection.first(Self.claimByKey, key.bytes) { row in ClaimRow(row) }
  }

  /// All claims.
  func claims() throws -> [ClaimRow] { try connection.query(Self.allClaims) { ClaimRow($0) } }

  /// A number that no claim has had.
  func nextGeneration() throws -> Int64 {
    try connection.first("UPDATE summary SET generation = generation + 1 RETURNING generation") {
      row in row[0]
    } ?? 1
  }

  /// Gives an origin to a new claimer.
  func put(_ row: ClaimRow, claimOn key: SHA256Digest) throws {
    try connection.run(
      Self.putClaim, key.bytes, row.location, row.generation, row.owner, row.leaseUntilMS,
      row.partial, row.expectedSize, row.validators.etag, row.validators.lastModified,
      row.changedAtMS, row.allowsPrivate)
  }

  /// Prolongs a claim.
  ///
  /// - Returns: Whether the claim is still that of this generation, and goes on.
  func renew(
    claimOn key: SHA256Digest, generation: Int64, leaseUntilMS: Int64, nowMS: Int64
  ) throws -> Bool {
    try connection.run(Self.renewClaim, key.bytes, generation, leaseUntilMS, nowMS) == 1
  }

  /// Notes what is known about the bytes of a download.
  func note(expectedSize: Int64?, validators: Validators, claimOn key: SHA256Digest) throws {
    try connection.run(
      Self.noteServer, key.bytes, expectedSize, validators.etag, validators.lastModified)
  }

  /// Ends a claim without a track.
  ///
  /// - Returns: Whether it was still that of this generation, and went on.
  func fail(
    claimOn key: SHA256Digest, generation: Int64, reason: String, nowMS: Int64
  ) throws -> Bool {
    try connection.run(Self.failClaim, key.bytes, generation, reason, nowMS) == 1
  }

  /// Forgets a claim.
  func removeClaim(on key: SHA256Digest) throws { try connection.run(Self.deleteClaim, key.bytes) }

  /// Forgets the claim of one generation.
  func removeClaim(generation: Int64) throws {
    try connection.run("DELETE FROM claim WHERE generation = ?1", generation)
  }

  private static let claimByKey = SQL("SELECT \(ClaimRow.columns) FROM claim WHERE key = ?1")
  private static let allClaims = SQL("SELECT \(ClaimRow.columns) FROM claim")
  private static let deleteClaim: SQL = "DELETE FROM claim WHERE key = ?1"
  private static let putClaim: SQL = """
    INSERT OR REPLACE INTO claim (key, location, generation, owner, lease_until, partial, expected,
      etag, last_modified, changed_at, allows_private)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    """
  private static let renewClaim: SQL = """
    UPDATE claim SET lease_until = ?3, changed_at = ?4
    WHERE key = ?1 AND generation = ?2 AND failure IS NULL
    """
  private static let noteServer: SQL =
    "UPDATE claim SET expected = ?2, etag = ?3, last_modified = ?4 WHERE key = ?1"
  private static let failClaim: SQL = """
    UPDATE claim SET failure = ?3, changed_at = ?4
    WHERE key = ?1 AND generation = ?2 AND failure IS NULL
    """
}
