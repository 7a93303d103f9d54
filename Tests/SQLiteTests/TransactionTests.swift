import SQLite
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct TransactionTests {
  @Test func `a transaction that returns is committed`() throws {
    let connection = try openConnection()
    let count = try connection.transaction(.immediate) {
      try connection.execute("CREATE TABLE t (a)")
      return try connection.run("INSERT INTO t VALUES (1), (2)")
    }
    #expect(count == 2)
    #expect(try openConnection().integer("SELECT count(*) FROM t") == 2)
  }

  @Test func `a transaction that throws leaves nothing and passes the error on`() throws {
    struct Stop: Error {}
    let connection = try openConnection()
    try connection.execute("CREATE TABLE t (a)")
    #expect(throws: Stop.self) {
      try connection.transaction(.immediate) {
        try connection.run("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `an immediate transaction keeps the second writer out from its start`() throws {
    let (one, two) = (try openConnection(), try openConnection())
    try one.transaction(.immediate) {
      #expect { try two.transaction(.immediate) {} } throws: { SQLiteError.Code.busy ~= $0 }
    }
    try two.transaction(.immediate) {}
  }

  @Test func `a full database rolls the transaction back and the connection goes on`() throws {
    let connection = try openConnection()
    try connection.execute("CREATE TABLE t (a); PRAGMA max_page_count = 10")
    #expect {
      try connection.transaction(.immediate) {
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.run("INSERT INTO t VALUES (zeroblob(1000000))")
      }
    } throws: {
      SQLiteError.Code.full ~= $0
    }
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `readers go on beside a writer in WAL mode`() throws {
    let writer = try openConnection()
    try writer.enterWAL()
    try writer.execute("CREATE TABLE t (a)")
    let reader = try openConnection(.readOnly)
    try writer.transaction(.immediate) {
      try writer.run("INSERT INTO t VALUES (1)")
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
    }
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `a checkpoint says when a reader stands in its way`() throws {
    let writer = try openConnection()
    try writer.enterWAL()
    try writer.execute("CREATE TABLE t (a)")
    let reader = try openConnection(.readOnly)
    try reader.transaction(.deferred) {
      _ = try reader.integer("SELECT count(*) FROM t")
      try writer.run("INSERT INTO t VALUES (1)")
      #expect(try !writer.checkpoint())
    }
    #expect(try writer.checkpoint())
  }
}
