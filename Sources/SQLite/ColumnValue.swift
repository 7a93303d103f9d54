/// A type whose values are stored in a column.
public protocol ColumnValue {
  /// Reads the value of a column, counted from 0, in the row that `row` stands on.
  init(from row: borrowing Statement, column: Int)
  /// Binds the value to a parameter, counted from 1.
  func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError)
}

extension ColumnValue where Self: FixedWidthInteger {
  /// Reads a whole number; one out of this type's range becomes its nearest bound.
  @inlinable
  public init(from row: borrowing Statement, column: Int) {
    self.init(clamping: row.integer(column))
  }

  /// Binds the whole number; one out of range of `Int64` becomes its nearest bound.
  @inlinable
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(Int64(clamping: self), at: index)
  }
}

extension Int: ColumnValue {}
extension Int32: ColumnValue {}
extension Int64: ColumnValue {}

extension Bool: ColumnValue {
  /// Reads a whole number; everything but 0 is true.
  @inlinable
  public init(from row: borrowing Statement, column: Int) { self = row.integer(column) != 0 }

  /// Binds 1 for true and 0 for false.
  @inlinable
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(Int64(self ? 1 : 0), at: index)
  }
}

extension Double: ColumnValue {
  /// Reads a floating-point number.
  @inlinable
  public init(from row: borrowing Statement, column: Int) { self = row.double(column) }

  /// Binds the number.
  @inlinable
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension String: ColumnValue {
  /// Reads a text.
  @inlinable
  public init(from row: borrowing Statement, column: Int) { self = row.text(column) }

  /// Binds the text.
  @inlinable
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension [UInt8]: ColumnValue {
  /// Reads a blob.
  @inlinable
  public init(from row: borrowing Statement, column: Int) { self = row.blob(column) }

  /// Binds the bytes as a blob.
  @inlinable
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    try statement.bind(self, at: index)
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  /// Reads a value, or nil where the column is NULL.
  @inlinable
  public init(from row: borrowing Statement, column: Int) {
    self = row.isNull(column) ? nil : Wrapped(from: row, column: column)
  }

  /// Binds the value, or NULL for nil.
  @inlinable
  public func bind(to statement: borrowing Statement, at index: Int) throws(SQLiteError) {
    switch self {
    case .some(let value): try value.bind(to: statement, at: index)
    case .none: try statement.bindNull(at: index)
    }
  }
}
