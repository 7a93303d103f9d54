/// The text of a document under its name, which turns byte offsets into places to show.
///
/// The bytes are checked UTF-8 without a byte order mark. Values remember only their offset; a line
/// and column are counted when an error is worded, which keeps reading linear however long a line.
struct SourceText {
  /// No recipe comes near this; what is larger is another file given by mistake.
  static let largestSize = 1 << 20

  let name: String
  let bytes: [UInt8]
  /// The folder that paths in the document are relative to; ends in a slash, or is empty for
  /// the working directory.
  let folder: String

  /// Takes the bytes of a document after checking its size and encoding.
  init(name: String, bytes: [UInt8], folder: String = "") throws(RecipeError) {
    self.folder = folder
    guard bytes.count <= Self.largestSize else {
      throw RecipeError(
        kind: .invalid, name: name, position: nil, path: "",
        message: "too large for a recipe (over 1 MiB)")
    }
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
      throw RecipeError(
        kind: .invalid, name: name, position: nil, path: "",
        message: "the text is UTF-16; save it as UTF-8")
    }
    self.name = name
    // RFC 8259, section 8.1: a reader may ignore a byte order mark; Windows editors add one.
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if let invalid = self.bytes.firstInvalidUTF8Offset {
      throw error(at: invalid, in: FieldPath(), "the text is not UTF-8 here")
    }
  }

  /// A path that stands in the document, from the document's folder on.
  func path(from path: String) -> String {
    path.hasPrefix("/") ? path : folder + path
  }

  /// The line and column of the scalar that begins at `offset`.
  func position(of offset: Int) -> SourcePosition {
    let before = bytes[..<min(offset, bytes.count)]
    let newline = UInt8(ascii: "\n")
    let line = 1 + before.count { $0 == newline }
    let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    // Continuation bytes are 10xxxxxx: every scalar has exactly one byte that is not.
    let column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
    return SourcePosition(line: line, column: column)
  }

  /// An error about the value at `path`, shown at `offset`.
  func error(at offset: Int, in path: FieldPath, _ message: String) -> RecipeError {
    RecipeError(
      kind: .invalid, name: name, position: position(of: offset), path: path.description,
      message: message)
  }
}

extension [UInt8] {
  /// The offset of the first byte that is not part of valid UTF-8, or `nil` where all are.
  fileprivate var firstInvalidUTF8Offset: Int? {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }
}
