import SQLite
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct SchemaTests {
  private let first = Schema(applicationID: 77, migrations: [Migration("CREATE TABLE t (a)")])
  private let second = Schema(
    applicationID: 77,
    migrations: [
      Migration("CREATE TABLE t (a)"), Migration("ALTER TABLE t ADD COLUMN b DEFAULT 5"),
    ])

  @Test func `an old file takes the steps it lacks and keeps its rows`() throws {
    let connection = try openConnection()
    try first.apply(to: connection)
    try connection.run("INSERT INTO t VALUES (1)")
    try second.apply(to: connection)
    #expect(try connection.integer("SELECT a + b FROM t") == 6)
    #expect(try second.version(of: connection) == 2)
  }

  @Test func `applying a schema again changes nothing`() throws {
    let connection = try openConnection()
    try second.apply(to: connection)
    try second.apply(to: connection)
    #expect(try second.version(of: connection) == 2)
  }

  @Test func `a newer file is refused`() throws {
    let connection = try openConnection()
    try second.apply(to: connection)
    #expect(throws: SchemaError.newer(found: 2, known: 1)) { try first.apply(to: connection) }
  }

  @Test func `the file of another program is refused and left alone`() throws {
    let connection = try openConnection()
    try connection.execute("CREATE TABLE bookmarks (url)")
    #expect(throws: SchemaError.foreign(applicationID: 0)) { try first.apply(to: connection) }
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 1)
  }

  @Test func `a step that fails leaves the version before it`() throws {
    let broken = Schema(
      applicationID: 77,
      migrations: first.migrations + [Migration("CREATE TABLE u (a); CREATE TABLE t (a)")])
    let connection = try openConnection()
    #expect(throws: SQLiteError.self) { try broken.apply(to: connection) }
    #expect(try broken.version(of: connection) == 1)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 1)
  }
}

@Suite struct FileSystemTests {
  @Test(arguments: ["/", "/proc", "/nowhere/at/all"])
  func `a local or missing directory is on no network file system`(path: String) {
    #expect(Connection.networkFileSystem(holding: path) == nil)
  }
}
