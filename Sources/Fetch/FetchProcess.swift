import FoundationEssentials
import Glibc
public import Platform

/// A process that fetches one URL, for the one that started it.
///
/// Events come over a pipe, for an event loop (``descriptor``, ``read()``) or for a thread that has
/// nothing else to do (``wait(report:)``). Ending it with SIGTERM or SIGKILL loses nothing: what came is
/// in the partial file, and the next one goes on from there.
public final class FetchProcess {
  /// The process; to be reaped by whoever does not call ``wait(report:)``.
  public let process: ChildProcess
  /// How the fetch ended; `nil` until the process said so or closed its end of the pipe.
  public private(set) var result: Result<FetchOutcome, FetchError>?
  private let request: FetchRequest
  private let events: FileDescriptor
  private var rest: [UInt8] = []

  /// The subcommand of our program that is a fetch process.
  public static let commandName = "fetch-url"

  /// Starts a process, which ends with this one: this very program, or another `command`.
  ///
  public init(
    _ request: FetchRequest, command: [String] = [Executable.itself, commandName]
  ) throws(PlatformError) {
    var request = request
    request.parent = getpid()
    self.request = request
    let document = try FileDescriptor.holding(Array((try? JSONEncoder().encode(request)) ?? Data()))
    let pipe = try Pipe()
    var launch = ChildProcess.Launch(command[0], Array(command.dropFirst()))
    launch.arguments[0] = "keymill"
    launch.environment = Self.environment
    launch.descriptors = [0: document.rawValue, 1: pipe.writer.rawValue, 2: STDERR_FILENO]
    process = try ChildProcess(launch)
    events = try pipe.reader.duplicate()
  }

  /// Nothing that could change where requests go, and nothing that may be secret.
  private static var environment: [String: String] {
    var variables = Environment.current.filter { name, _ in
      ["LD_LIBRARY_PATH", "SWIFT_BACKTRACE", "LLVM_PROFILE_FILE"].contains(name)
    }
    // A library behind FFmpeg's filters starts a thread for each core as it is loaded, and a process
    // confines itself while it has one.
    variables["OPENBLAS_NUM_THREADS"] = "1"
    return variables
  }

  /// Becomes readable when there is something for ``read()``.
  public var descriptor: Int32 { events.rawValue }

  /// The events that have come; blocks while there are none.
  /// - Returns: `nil` once the process has said all; ``result`` is then there.
  public func read() throws(PlatformError) -> [FetchEvent]? {
    guard case .bytes(let bytes) = try events.read() else {
      result = result ?? .failure(error("the fetch process ended without a word"))
      return nil
    }
    return lines(bytes).compactMap { line in
      let event = try? JSONDecoder().decode(FetchEvent.self, from: Data(line))
      if let event { result = result ?? end(event) }
      return event
    }
  }

  /// Blocks until the process has ended, and reaps it; `report` is told of all events, the last
  /// included.
  ///
  public func wait(report: (FetchEvent) -> Void = { _ in }) throws -> FetchOutcome {
    while let events = try read() { events.forEach(report) }
    let status = try process.wait().status
    if case .failure(let error) = result, error.code == .process {
      throw self.error("the fetch process ended with \(status)")
    }
    guard let result else { throw error("the fetch process ended with \(status)") }
    return try result.get()
  }

  /// What an event says about the end; the process may be under a server's control by now, and is
  /// believed where it sticks to its task.
  private func end(_ event: FetchEvent) -> Result<FetchOutcome, FetchError>? {
    switch event {
    case .finished(let file):
      file.path == request.path
        ? .success(.finished(file)) : .failure(error("the fetch process fetched something else"))
    case .unchanged(let validators): .success(.unchanged(validators))
    case .failed(let error): .failure(error)
    case .began, .progress, .stalled, .retrying: nil
    }
  }

  private func error(_ reason: String) -> FetchError {
    FetchError(.process, url: (try? RemoteURL(request.url))?.text ?? "", reason)
  }

  /// The lines that bytes complete.
  private func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    rest += bytes
    var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let last = lines.removeLast()
    rest = last.count > Self.longestLine ? [] : Array(last)
    return lines.map(Array.init)
  }

  /// What is longer is no event, and not kept for ever.
  private static let longestLine = 1 << 20
}
