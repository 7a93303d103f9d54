import Foundation
import SQLite
import TestSupport
import Testing

func openConnection(_ mode: Connection.Mode = .create, busyTimeout: Duration = .zero) throws
  -> Connection
{
  try Connection(
    path: TemporaryDirectory.path + "/test.db", mode: mode, busyTimeout: busyTimeout)
}

@Suite(.temporaryDirectory) struct ConnectionTests {
  @Test func `each kind of value comes back as it went in`() throws {
    let connection = try openConnection()
    try connection.execute("CREATE TABLE t (a ANY, b ANY, c ANY, d ANY, e ANY, f ANY) STRICT")
    let bytes: [UInt8] = [0, 255, 7]
    try connection.run(
      "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", Int64.min, 0.1, "größe\0z", bytes, true,
      nil as String?)
    try connection.forEach("SELECT * FROM t") { row in
      #expect(row[0] == Int64.min)
      #expect(row[1] == 0.1)
      #expect(row[2] == "größe\0z")
      #expect(row[3] == bytes)
      #expect(row[4] == true)
      #expect(row[5] as String? == nil)
      #expect(row[0] as Int64? == Int64.min)
    }
  }

  @Test func `a new file is its owner's alone, and so are its log and shared memory`() throws {
    let connection = try openConnection()
    try connection.enterWAL()
    try connection.execute("CREATE TABLE t (a)")
    for name in ["test.db", "test.db-wal", "test.db-shm"] {
      #expect(try mode(of: name) == 0o600, "\(name)")
    }
  }

  @Test func `a file that is there keeps its mode`() throws {
    let path = TemporaryDirectory.path + "/test.db"
    try Data().write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: path)
    let connection = try openConnection()
    try connection.enterWAL()
    try connection.execute("CREATE TABLE t (a)")
    for name in ["test.db", "test.db-wal"] { #expect(try mode(of: name) == 0o660, "\(name)") }
  }

  private func mode(of name: String) throws -> Int? {
    let path = TemporaryDirectory.path + "/" + name
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func `empty text and empty bytes are not NULL`() throws {
    let connection = try openConnection()
    try connection.forEach("SELECT ?, ?", "", [UInt8]()) { row in
      #expect(row[0] as String? == "")
      #expect(row[1] as [UInt8]? == [])
    }
  }

  @Test func `run tells how many rows it changed`() throws {
    let connection = try openConnection()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
    #expect(try connection.run("DELETE FROM t WHERE a > ?", 1) == 2)
    #expect(try connection.run("DELETE FROM t WHERE a > ?", 1) == 0)
  }

  @Test func `a query within a query on the same SQL does not disturb it`() throws {
    let connection = try openConnection()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    let pairs = try connection.query("SELECT a FROM t ORDER BY a") { outer in
      try connection.query("SELECT a FROM t ORDER BY a") { inner in
        "\(outer[0] as Int)\(inner[0] as Int)"
      }
    }
    #expect(pairs == [["11", "12"], ["21", "22"]])
  }

  @Test func `a row closure that throws leaves no read transaction behind`() throws {
    struct Stop: Error {}
    let reader = try openConnection()
    try reader.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(throws: Stop.self) {
      try reader.forEach("SELECT a FROM t") { _ in throw Stop() }
    }
    let writer = try openConnection()
    try writer.run("INSERT INTO t VALUES (2)")
    #expect(try writer.checkpoint())
  }

  @Test(arguments: [":memory:", "file:x?mode=memory", "-rf", "100% a:b"])
  func `a file name with a meaning elsewhere is a file name`(name: String) async {
    // In a process of its own, since the directory that relative paths begin at is the process's.
    await #expect(processExitsWith: .success) {
      [directory = TemporaryDirectory.path as String, name] in
      #expect(FileManager.default.changeCurrentDirectoryPath(directory))
      let connection = try Connection(path: name, mode: .create, busyTimeout: .zero)
      try connection.execute("CREATE TABLE t (a)")
      #expect(FileManager.default.fileExists(atPath: directory + "/" + name))
    }
  }

  @Test func `the data version changes when another connection commits`() throws {
    let one = try openConnection()
    try one.execute("CREATE TABLE t (a)")
    let other = try openConnection()
    let before = try one.dataVersion()
    try one.run("INSERT INTO t VALUES (1)")
    #expect(try one.dataVersion() == before)
    try other.run("INSERT INTO t VALUES (2)")
    #expect(try one.dataVersion() != before)
  }

  @Test func `the durability of commits can be changed again and again`() throws {
    let connection = try openConnection()
    for wanted in [Synchronous.full, .normal, .full, .full, .normal] {
      try connection.setSynchronous(wanted)
      #expect(try connection.integer("PRAGMA synchronous") == Int64(wanted.rawValue))
    }
  }
}

@Suite(.temporaryDirectory) struct SQLiteErrorTests {
  @Test func `an error names code, call and SQL`() throws {
    let connection = try openConnection()
    let error = try #require(throws: SQLiteError.self) { try connection.run("SELECT absent") }
    #expect(error.call == "sqlite3_prepare_v3")
    #expect(error.subject == "SELECT absent")
    #expect(
      error.description == "no such column: absent (code 1) in sqlite3_prepare_v3: SELECT absent")
  }

  @Test func `catch matches primary and extended codes`() throws {
    let connection = try openConnection()
    try connection.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    let error = try #require(throws: SQLiteError.self) {
      try connection.run("INSERT INTO t VALUES (1)")
    }
    #expect(SQLiteError.Code.constraint ~= error)
    #expect(SQLiteError.Code.notUnique ~= error)
    #expect(!(SQLiteError.Code.busy ~= error))
  }

  @Test func `a missing file cannot be opened unless it may be made`() {
    #expect { try openConnection(.readWrite) } throws: { SQLiteError.Code.cannotOpen ~= $0 }
    #expect { try openConnection(.readOnly) } throws: { SQLiteError.Code.cannotOpen ~= $0 }
  }

  @Test func `a read-only connection refuses to write`() throws {
    try openConnection().execute("CREATE TABLE t (a)")
    let reader = try openConnection(.readOnly)
    #expect { try reader.run("INSERT INTO t VALUES (1)") } throws: {
      SQLiteError.Code.readOnly ~= $0
    }
  }

  @Test func `text is not a database`() throws {
    let text = String(repeating: "no database. ", count: 200)
    try text.write(toFile: TemporaryDirectory.path + "/test.db", atomically: false, encoding: .utf8)
    let connection = try openConnection()
    #expect { try connection.integer("PRAGMA user_version") } throws: {
      SQLiteError.Code.notADatabase ~= $0
    }
  }
}
