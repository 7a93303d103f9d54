import Digests
import Platform
import Synchronization

/// The list of an output's files, kept on disk while it grows: a clip of ten hours has a million
/// frames, and a job's memory must not grow with them.
///
/// Threads finish frames in any order. The ledger puts them in the order of their numbers, and never
/// holds back more than are under way at once.
final class FileLedger: Sendable {
  /// The name of the spool file in the staging directory, until the manifest takes it in.
  static let spoolName = ".files"

  private struct State: ~Copyable {
    let spool: FileDescriptor
    var text = ""
    var count = 0
    var bytes = 0
    var nextFrame = 1
    var early: [Int: [FileRecord]] = [:]
  }

  private static let flushSize = 32_768
  private let state: Mutex<State>

  /// Starts an empty ledger in a staging directory.
  init(in directory: String) throws(PlatformError) {
    state = Mutex(State(spool: try .open("\(directory)/\(Self.spoolName)", .create)))
  }

  /// Enters a file that stands for itself, such as a track or a still.
  func add(_ record: FileRecord) throws {
    try state.withLock { try Self.write(record, to: &$0) }
  }

  /// Enters the files of frame `number`, counted from 1 without gaps.
  func addFrame(_ number: Int, _ records: [FileRecord]) throws {
    try state.withLock { state in
      state.early[number] = records
      while let due = state.early.removeValue(forKey: state.nextFrame) {
        for record in due { try Self.write(record, to: &state) }
        state.nextFrame += 1
      }
    }
  }

  /// How many files have been entered, and their size together in bytes.
  var totals: (count: Int, bytes: Int) { state.withLock { ($0.count, $0.bytes) } }

  /// Writes out what is still in memory, so that the spool file is whole.
  func flush() throws { try state.withLock { try Self.flush(&$0) } }

  private static func write(_ record: FileRecord, to state: inout State) throws {
    state.text += (state.count == 0 ? "" : ",") + "\n    " + record.json
    state.count += 1
    state.bytes += record.bytes
    if state.text.utf8.count >= flushSize { try flush(&state) }
  }

  private static func flush(_ state: inout State) throws {
    try state.spool.writeAll(state.text)
    state.text = ""
  }
}
