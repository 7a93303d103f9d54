/// Something that jobs go through.
protocol JobTable {
  /// Submits jobs, each in a commit of its own.
  func submit(_ count: Int) throws
  /// Submits jobs in one commit.
  func submitTogether(_ count: Int) throws
  /// Makes jobs that are not due.
  func schedule(_ count: Int) throws
  /// Claims and ends jobs, `batch` of them in a commit.
  func drain(_ count: Int, batch: Int) throws
}

/// The three that are compared: two tables in C, bare and with the same rows, and keymill's queue.
struct Sides {
  let bare: Ceiling
  let sameRows: Ceiling
  let queue: Queue

  var all: [any JobTable] { [bare, sameRows, queue] }

  /// Measures what `count` jobs take on each, one after the other.
  func measure(
    _ count: Int, into result: inout Comparison, _ body: (any JobTable) throws -> Void
  ) rethrows {
    result.bare.append(try measureTime(count) { try body(bare) })
    result.sameRows.append(try measureTime(count) { try body(sameRows) })
    result.ours.append(try measureTime(count) { try body(queue) })
  }

  /// Measures claims and ends, and puts as many jobs back.
  func measureDrain(_ count: Int, into result: inout Comparison) throws {
    try measure(count, into: &result) { try $0.drain(count, batch: 16) }
    for side in all { try side.submitTogether(count) }
  }
}
