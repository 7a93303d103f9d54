import CQueueCeiling
import JobQueue

/// The raw job table in C.
@safe final class Ceiling: JobTable {
  // @safe: opened in `init`, closed in `deinit`, not seen outside.
  private let handle: OpaquePointer

  /// A new table at `path`, bare or with the same rows as keymill.
  init(path: String, sameRows: Bool) throws {
    if sameRows { _ = try JobStore(path: path, role: .client) }
    guard let handle = unsafe ceiling_open(path, sameRows) else {
      throw BenchError("cannot make \(path)")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe ceiling_close(handle) }

  /// Submits jobs, each in a commit of its own.
  func submit(_ count: Int) throws { try check(unsafe ceiling_submit(handle, count)) }

  /// Submits jobs in one commit.
  func submitTogether(_ count: Int) throws {
    try check(unsafe ceiling_submit_together(handle, count))
  }

  /// Makes jobs that are not due.
  func schedule(_ count: Int) throws { try check(unsafe ceiling_schedule(handle, count)) }

  /// Claims and ends jobs, `batch` of them in a commit.
  func drain(_ count: Int, batch: Int) throws {
    try check(unsafe ceiling_drain(handle, Int32(batch), count))
  }

  private func check(_ worked: Bool) throws {
    guard worked else { throw BenchError("the ceiling failed") }
  }
}

/// A measurement that did not come about.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
