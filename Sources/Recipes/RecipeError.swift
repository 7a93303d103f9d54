/// Where something stands in a recipe document.
///
/// Lines and columns count from 1. A column is one Unicode scalar, as editors count, so a tab is one
/// column and an accented letter is one although it takes two bytes.
public struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int

  /// The column in that line, counted from 1.
  public let column: Int

  /// Creates a position from a line and a column, both counted from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position as compilers print it, such as `3:14`.
  public var description: String { "\(line):\(column)" }
}

/// A recipe that cannot be read or cannot be used, with the place of the fault in the document.
///
/// It prints on one line as compilers do, so that editors can jump to the place:
/// `sprite.json:3:14: key.treshold: unknown field; did you mean "threshold"?`
public struct RecipeError: Error, Hashable, CustomStringConvertible {
  /// The two kinds of fault, which end a command with different exit codes.
  public enum Kind: Hashable, Sendable {
    /// There is no such file, or it cannot be read.
    case unreadable
    /// The document is not JSON, or not a recipe.
    case invalid
  }

  /// Which kind of fault it is.
  public let kind: Kind

  /// The document's name: the path of its file as it was given, or what stands for it.
  public let name: String

  /// The place of the fault, or `nil` where the document has none, as when it cannot be read.
  public let position: SourcePosition?

  /// The field at fault, such as `key.threshold` or `stills.at[2]`; empty for the whole document.
  public let path: String

  /// What is wrong and what to do about it, on one line.
  public let message: String

  /// The name, the position, the field and the message on one line.
  public var description: String {
    let place = position.map { "\(name):\($0)" } ?? name
    return path.isEmpty ? "\(place): \(message)" : "\(place): \(path): \(message)"
  }
}
