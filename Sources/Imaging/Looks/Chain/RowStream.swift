/// Filters linked so that each row of a picture goes through all of them at once.
///
/// Each row filter keeps the rows it looks at and no more, so that what a chain works on stays in the
/// second-level cache, and a picture may be written over while it is read.
struct RowStream {
  private enum Link {
    case points(PointProgram)
    case rows(RowStage)
  }

  private let links: [Link]
  private let size: PixelSize
  private var scratch = PointScratch()

  /// Links parts of a chain for pictures of a size.
  init(_ parts: [ChainSegment.Part], size: PixelSize) {
    self.size = size
    links = parts.map { part in
      switch part {
      case .points(let program): .points(program)
      case .rows(let filter): .rows(RowStage(filter, size: size))
      }
    }
  }

  /// Makes row `y` of the result; rows must be asked for in order.
  ///
  /// `head` makes the rows that the first filter reads; it too is asked for them in order.
  mutating func makeRow(
    _ y: Int, into row: inout MutableSpan<SIMD4<UInt8>>,
    from head: (_ y: Int, _ row: inout MutableSpan<SIMD4<UInt8>>) -> Void
  ) {
    makeRow(y, after: links.count, into: &row, from: head)
  }

  /// Makes a row of what the first `count` links give.
  private mutating func makeRow(
    _ y: Int, after count: Int, into row: inout MutableSpan<SIMD4<UInt8>>,
    from head: (Int, inout MutableSpan<SIMD4<UInt8>>) -> Void
  ) {
    guard count > 0 else { return head(y, &row) }
    switch links[count - 1] {
    case .points(let program):
      makeRow(y, after: count - 1, into: &row, from: head)
      scratch.run(program, over: &row, row.indices, y: y, in: size)
    case .rows(let stage):
      while let next = stage.missingRow(for: y) {
        stage.fillRow { makeRow(next, after: count - 1, into: &$0, from: head) }
      }
      stage.makeRow(y, into: &row)
    }
  }
}

/// A row filter at work on a picture, with the rows that it looks at.
private final class RowStage {
  private let size: PixelSize
  private let reach: RowReach
  private var worker: any RowWorker
  /// The latest rows with their borders; row y is in the place y modulo their number.
  private var rows: [SIMD4<UInt8>]
  private let capacity: Int
  private let length: Int
  /// The rows that have been filled so far.
  private var filled = 0

  init(_ filter: any RowFilter, size: PixelSize) {
    self.size = size
    reach = filter.reach(in: size)
    worker = filter.makeWorker(for: size)
    capacity = RowWindow.rows(of: size, reach: reach)
    length = RowWindow.length(of: size, reach: reach)
    rows = [SIMD4<UInt8>](repeating: .zero, count: capacity * length)
  }

  /// The next row to be filled before row `y` can be made; `nil` if all of them are.
  func missingRow(for y: Int) -> Int? {
    filled <= min(y + reach.rows, size.height - 1) ? filled : nil
  }

  /// Has the next row filled, and repeats its ends.
  func fillRow(_ fill: (_ row: inout MutableSpan<SIMD4<UInt8>>) -> Void) {
    let start = filled % capacity * length + reach.columns
    unsafe rows.withUnsafeMutableBufferPointer { rows in
      let place = unsafe UnsafeMutableBufferPointer(rebasing: rows[start..<start + size.width])
      var row = unsafe MutableSpan(_unsafeElements: place)
      fill(&row)
      let (first, last) = (row[0], row[size.width - 1])
      for border in 0..<reach.columns {
        unsafe rows[start - 1 - border] = first
        unsafe rows[start + size.width + border] = last
      }
    }
    filled += 1
  }

  func makeRow(_ y: Int, into row: inout MutableSpan<SIMD4<UInt8>>) {
    let rows = rows
    let window = RowWindow(rows.span, around: y, size: size, reach: reach)
    worker.makeRow(y, from: window, into: &row)
  }
}
