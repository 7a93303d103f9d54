import FoundationEssentials
import Glibc
import Platform

/// The program that is tried, and where the drills work.
struct Workshop {
  private let keymill: String
  private let checkout: String
  private let directory: String

  /// Clears the place; all paths are absolute.
  init(keymill: String, checkout: String, directory: String) throws {
    _ = try FileStatus(keymill)
    self.keymill = keymill
    self.checkout = checkout
    self.directory = directory
    try Files.removeTree(directory)
  }

  /// A directory for one drill, with small media in it.
  func room(_ name: String) throws -> Room {
    let room = Room(keymill: keymill, checkout: checkout, directory: "\(directory)/\(name)")
    try Files.makeDirectory(room.directory)
    return room
  }
}

/// A drill's directory, queue and processes.
struct Room {
  let keymill: String
  let checkout: String
  let directory: String

  /// The drill's queue.
  var queue: String { path("queue.db") }

  /// A path in the directory.
  func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// A recipe of the checkout.
  func recipe(_ name: String) -> String { "\(checkout)/jobs/\(name).json" }

  /// A sample of the checkout.
  func sample(_ name: String) -> String { "\(checkout)/samples/\(name)" }

  /// Starts the program on this drill's queue; what it says is added to `log`.
  func start(_ arguments: [String], log: String, output: Int32? = nil) throws -> ChildProcess {
    let errors = try FileDescriptor.open(path(log), .append)
    var environment = Environment.current
    environment["KEYMILL_DB"] = queue
    environment["XDG_STATE_HOME"] = path("state")
    environment["XDG_CACHE_HOME"] = path("cache")
    environment["KEYMILL_CACHE"] = nil
    return try ChildProcess(
      ChildProcess.Launch(
        keymill, arguments, environment: environment,
        descriptors: [1: output ?? errors.rawValue, 2: errors.rawValue],
        workingDirectory: directory))
  }

  /// Runs the program to its end.
  func run(_ arguments: [String], log: String) throws -> (status: ExitStatus, output: [UInt8]) {
    let pipe = try Pipe()
    let reader = try pipe.reader.duplicate()
    let process = try startWriting(arguments, log, pipe)
    let output = try reader.readToEnd()
    return (try process.wait().status, output)
  }

  /// Takes the pipe, so that its writing end here is closed and the reader sees the end.
  private func startWriting(
    _ arguments: [String], _ log: String, _ pipe: consuming Pipe
  ) throws -> ChildProcess {
    try start(arguments, log: log, output: pipe.writer.rawValue)
  }

  /// A pool of two processes whose leases are as short as a soak wants them.
  func startPool(_ name: String, lease: Duration) throws -> ChildProcess {
    try start(
      ["work", "--processes", "2", "--lease", "\(Int(lease / .seconds(1)))s"],
      log: "\(name).log")
  }
}

/// A soak that could not be run.
struct SoakError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Waits a little; a soak looks at other people's processes, which tell nobody what they do.
func pause(_ time: Duration) { usleep(UInt32(time / .microseconds(1))) }

/// Waits until `condition` holds, and looks every 5 ms.
///
/// - Throws: ``SoakError`` where it does not within `limit`.
func wait(
  for what: String, limit: Duration = .seconds(120), until condition: () throws -> Bool
) throws {
  let end = BootClock.now + limit
  while try !condition() {
    guard BootClock.now < end else { throw SoakError("\(what): not within \(limit)") }
    pause(.milliseconds(5))
  }
}
