import Platform

/// A `keymill work` that runs, and what it says.
final class Pool {
  let process: ChildProcess
  private let log: FileDescriptor
  private var unread = ""

  /// Starts the pool; where nobody listens to what it says, that goes nowhere.
  init(
    _ keymill: String, _ arguments: [String], environment: [String: String], isHeard: Bool
  ) throws {
    let pipe = try Pipe()
    log = try pipe.reader.duplicate()
    process = try ChildProcess(
      ChildProcess.Launch(
        keymill, arguments, environment: environment,
        descriptors: isHeard ? [2: pipe.writer.rawValue] : [:]))
  }

  /// Reads the log until it tells of a job's end.
  func waitForJob(_ id: Int) throws {
    while true {
      if let found = unread.firstRange(of: "job \(id) ") {
        unread.removeSubrange(..<found.upperBound)
        return
      }
      guard case .bytes(let bytes) = try log.read() else {
        throw BenchError("keymill work ended: \(unread)")
      }
      unread += String(decoding: bytes, as: UTF8.self)
    }
  }

  /// CPU time so far of the pool and the children it has.
  func cpuTime() throws -> Duration {
    let pid = process.pid
    let children = try words(in: "/proc/\(pid)/task/\(pid)/children")
    return try ([String(pid)] + children).reduce(.zero) { sum, process in
      // proc(5): nanoseconds on the processor come first.
      let time = try words(in: "/proc/\(process)/schedstat").first.flatMap { Int64($0) }
      return sum + .nanoseconds(time ?? 0)
    }
  }

  private func words(in path: String) throws -> [String] {
    String(decoding: try Files.read(path), as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .map(String.init)
  }

  /// Ends the pool.
  func end() {
    process.send(.kill)
    _ = try? process.wait()
  }
}
