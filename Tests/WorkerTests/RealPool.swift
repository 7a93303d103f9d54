import FoundationEssentials
import Glibc
import JobQueue
import Platform
import TestSupport
import Testing

/// The real `keymill work` on a queue in the test's directory.
///
/// Its jobs take far longer than any test looks at them.
final class RealPool {
  let process: ChildProcess
  let queue: JobStore
  private let errors: FileDescriptor
  private var seen = ""

  /// Starts the pool.
  init(_ arguments: String..., environment: [String: String] = [:]) throws {
    queue = try JobStore(path: path("queue.db"), role: .client)
    let pipe = try Pipe()
    errors = try pipe.reader.duplicate()
    var variables = Environment.current
    variables["XDG_STATE_HOME"] = directory
    variables["XDG_CACHE_HOME"] = directory
    variables.merge(environment) { $1 }
    process = try ChildProcess(
      ChildProcess.Launch(
        Self.executable, ["work", "--db", path("queue.db")] + arguments, environment: variables,
        descriptors: [2: pipe.writer.rawValue]))
  }

  /// The binary lies beside the test bundle that runs now.
  private static var executable: String {
    get throws { try Files.parent(of: Executable.path) + "/keymill" }
  }

  /// Submits a job that takes seconds, and waits until its process reads its input.
  func beginJob(_ name: String) throws {
    let watch = try submitJob(name)
    try watch.wait()
  }

  /// Submits a job that takes seconds.
  ///
  /// - Returns: What tells when its process reads its input.
  func submitJob(_ name: String) throws -> ReadWatch {
    let input = path(name)
    try FileDescriptor.open(input, .create).writeAll(Files.read(Self.clip))
    let watch = try ReadWatch(input)
    let recipe = JobRecipe(
      name: "sprite", digest: name, canonicalJSON: #"{"key":{"color":"magenta"}}"#)
    _ = try queue.submit(
      [NewJob(input: input, output: path("out/\(name)"), recipe: recipe)], now: Date())
    try Doorbell(besideQueue: queue.path).ring()
    return watch
  }

  /// Calls a job off, and waits until the pool has ended it.
  func endJob(_ id: Job.ID, _ name: String) throws {
    _ = try queue.cancel(id, now: Date())
    try Doorbell(besideQueue: queue.path).ring()
    try waitForLog("job \(id) \(name): cancelled")
  }

  private static let clip =
    Files.parent(of: Files.parent(of: Files.parent(of: #filePath))) + "/samples/sprite-magenta.mp4"

  /// Reads what the pool says until it holds `text`, and forgets it up to there.
  func waitForLog(_ text: String) throws {
    while true {
      if let found = seen.firstRange(of: text) {
        seen.removeSubrange(..<found.upperBound)
        return
      }
      guard case .bytes(let bytes) = try errors.read() else {
        Issue.record("the pool ended without \(text), but said: \(seen)")
        return
      }
      seen += String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The pool's child of this name.
  func child(_ name: String) throws -> Int32 {
    let pid = process.pid
    let children = try Files.read("/proc/\(pid)/task/\(pid)/children")
    let found = try String(decoding: children, as: UTF8.self).split(separator: " ").first {
      try String(decoding: Files.read("/proc/\($0)/comm"), as: UTF8.self) == "\(name)\n"
    }
    return try #require(found.flatMap { Int32($0) })
  }

  /// Ends the pool if it has not ended.
  func end() {
    process.send(.kill)
    _ = try? process.wait()
  }
}

/// What the kernel says about a process.
struct ProcessFacts {
  private let pid: Int32
  private let status: [Substring]

  init(_ pid: Int32) throws {
    self.pid = pid
    status = String(decoding: try Files.read("/proc/\(pid)/status"), as: UTF8.self)
      .split(separator: "\n")
  }

  /// A line of `/proc/PID/status`.
  subscript(name: String) -> String? {
    status.first { $0.hasPrefix("\(name):") }?.split(whereSeparator: \.isWhitespace).last
      .map(String.init)
  }

  /// Where its descriptors lead, by their numbers.
  var descriptors: [Int: String] {
    get throws {
      let numbers = try Files.list("/proc/\(pid)/fd").compactMap { Int($0) }
      return try Dictionary(
        uniqueKeysWithValues: numbers.map { ($0, try Files.linkTarget("/proc/\(pid)/fd/\($0)")) })
    }
  }

  /// The names of its environment variables.
  var variables: [String] {
    get throws {
      String(decoding: try Files.read("/proc/\(pid)/environ"), as: UTF8.self)
        .split(separator: "\0").compactMap { $0.split(separator: "=").first.map(String.init) }
    }
  }
}

/// Blocks until a process that is no child of ours has ended.
func waitForEnd(of stranger: ChildProcess) throws {
  let loop = try EventLoop()
  try loop.add(stranger.descriptor) { _ in loop.stop() }
  try loop.run()
}

/// Waits until a job process that is confined reads its input: it has read it through before.
struct ReadWatch: ~Copyable {
  private let events: FileDescriptor

  /// Watches a file from now on.
  init(_ path: String) throws {
    let events = FileDescriptor(owning: inotify_init1(Int32(IN_CLOEXEC)))
    try #require(unsafe inotify_add_watch(events.rawValue, path, Self.closed | Self.read) >= 0)
    self.events = events
  }

  private static let closed = UInt32(IN_CLOSE_NOWRITE)
  private static let read = UInt32(IN_ACCESS)

  /// Blocks until it was read, closed, and read again.
  func wait() throws {
    var isClosed = false
    while case .bytes(let bytes) = try events.read() {
      // An event of a file is 16 bytes; the second word says what happened.
      for start in stride(from: 4, to: bytes.count, by: 16) {
        let what = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
        if what & Self.closed != 0 { isClosed = true }
        if isClosed && what & Self.read != 0 { return }
      }
    }
  }
}
