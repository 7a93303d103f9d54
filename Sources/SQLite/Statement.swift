internal import CSQLite

/// A statement that SQLite has compiled, kept by its connection from one use to the next.
@safe final class PreparedStatement {
  // @safe: made by its one owner, finalized in `deinit`.
  let handle: OpaquePointer
  let sql: SQL
  let parameterCount: Int
  var isInUse = false

  init(_ handle: OpaquePointer, _ sql: SQL) {
    unsafe self.handle = handle
    self.sql = sql
    parameterCount = Int(unsafe sqlite3_bind_parameter_count(handle))
  }

  deinit { unsafe sqlite3_finalize(handle) }
}

/// A prepared statement in use; reading it gives the row it stands on.
///
/// When it ends it is reset, which closes its read transaction, and is free for its next use.
@safe public struct Statement: ~Copyable {
  // @safe: the handle is `prepared`'s, which lives as long, and has one user at a time.
  private let handle: OpaquePointer
  private let prepared: PreparedStatement
  private let connection: Connection

  init(_ prepared: PreparedStatement, of connection: Connection) {
    unsafe self.handle = prepared.handle
    self.prepared = prepared
    self.connection = connection
    prepared.isInUse = true
  }

  deinit {
    // The result repeats the error of the latest step, which has been thrown already.
    unsafe sqlite3_reset(handle)
    prepared.isInUse = false
  }

  /// Goes to the next row.
  ///
  /// - Returns: false at the end.
  public borrowing func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    try check(code, "sqlite3_step")
    return false
  }

  /// Binds values to the parameters in their order.
  @inlinable
  public borrowing func bind<each Value: ColumnValue>(
    _ values: repeat each Value
  ) throws(SQLiteError) {
    var index = 0
    for value in repeat each values {
      index += 1
      try value.bind(to: self, at: index)
    }
    precondition(index == parameterCount, "values do not fit the parameters of a statement")
  }

  /// How many parameters the statement has.
  public var parameterCount: Int { prepared.parameterCount }

  /// The value in a column of the row, counted from 0; an optional type takes NULL.
  @inlinable
  public subscript<Value: ColumnValue>(column: Int) -> Value { Value(from: self, column: column) }
}

// MARK: - SQLite's own types

extension Statement {
  /// Binds NULL to the parameter `index`, counted from 1 as in `?1`.
  public borrowing func bindNull(at index: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_null(handle, Int32(index)), "sqlite3_bind_null")
  }

  /// Binds a whole number.
  public borrowing func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_int64(handle, Int32(index), value), "sqlite3_bind_int64")
  }

  /// Binds a whole number, or NULL for nil.
  @inlinable
  public borrowing func bind(_ value: Int64?, at index: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: index) }
    try bind(value, at: index)
  }

  /// Binds a text, which is copied, or NULL for nil.
  @inlinable
  public borrowing func bind(_ value: String?, at index: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: index) }
    try bind(value, at: index)
  }

  /// Binds a floating-point number; NaN becomes NULL.
  public borrowing func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_double(handle, Int32(index), value), "sqlite3_bind_double")
  }

  /// Binds a text, which is copied.
  public borrowing func bind(_ value: String, at index: Int) throws(SQLiteError) {
    var value = value
    let code = value.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { text in
        unsafe km_bind_text(handle, Int32(index), text.baseAddress, UInt64(text.count))
      }
    }
    try check(code, "sqlite3_bind_text64")
  }

  /// Binds a blob, which is copied.
  public borrowing func bind(_ value: [UInt8], at index: Int) throws(SQLiteError) {
    let code = unsafe value.withUnsafeBytes { bytes in
      // An empty array may have no address, and a null address would bind NULL.
      unsafe bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, Int32(index), 0)
        : km_bind_blob(handle, Int32(index), bytes.baseAddress, UInt64(bytes.count))
    }
    try check(code, "sqlite3_bind_blob64")
  }

  /// Whether the column is NULL in this row.
  public borrowing func isNull(_ column: Int) -> Bool {
    unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  /// The column as a whole number.
  public borrowing func integer(_ column: Int) -> Int64 {
    unsafe sqlite3_column_int64(handle, Int32(column))
  }

  /// The column as a floating-point number.
  public borrowing func double(_ column: Int) -> Double {
    unsafe sqlite3_column_double(handle, Int32(column))
  }

  /// The column as text; empty for NULL.
  public borrowing func text(_ column: Int) -> String {
    guard let text = unsafe sqlite3_column_text(handle, Int32(column)) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
    return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The column as bytes; empty for NULL.
  public borrowing func blob(_ column: Int) -> [UInt8] {
    guard let bytes = unsafe sqlite3_column_blob(handle, Int32(column)) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private borrowing func check(_ code: Int32, _ call: String) throws(SQLiteError) {
    try connection.check(code, call, prepared.sql.text)
  }
}
