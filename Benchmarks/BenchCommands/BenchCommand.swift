import Glibc
public import Platform

/// A program that a bench runs to its end and measures.
///
/// Linux counts what the starting process ever held to the peak memory of the one it starts, so whoever
/// wants that figure stays small.
public struct BenchCommand {
  /// The program, found in PATH where it is no path, and its arguments.
  public var words: [String]
  /// Its whole environment.
  public var environment: [String: String]

  /// Makes a command.
  public init(_ words: [String], environment: [String: String] = Environment.current) {
    self.words = words
    self.environment = environment
  }

  /// The ffmpeg command on one thread, which says nothing but errors and writes over what is there.
  public static func ffmpeg(_ arguments: [String]) -> BenchCommand {
    BenchCommand(["ffmpeg", "-v", "error", "-nostdin", "-y", "-threads", "1"] + arguments)
  }

  /// Runs it; it reads the parts of `input` one after the other.
  ///
  /// - Throws: ``BenchCommandError`` with what it said where it cannot be started or does not end with
  ///   status 0.
  @discardableResult
  public func run(input: [[UInt8]] = []) throws -> BenchRun {
    // Files in memory: nobody waits for anybody to read.
    let source = try FileDescriptor.holding([])
    let output = try FileDescriptor.holding([])
    for part in input { try source.writeAll(part) }
    lseek(source.rawValue, 0, SEEK_SET)
    let start = ContinuousClock.now
    let process = try ChildProcess(
      ChildProcess.Launch(
        try located(), Array(words.dropFirst()), environment: environment,
        descriptors: [0: source.rawValue, 1: output.rawValue, 2: output.rawValue]))
    let exit = try process.wait()
    let wall = start.duration(to: .now)
    lseek(output.rawValue, 0, SEEK_SET)
    let said = String(decoding: try output.readToEnd(), as: UTF8.self)
    guard exit.status.isSuccess else {
      throw BenchCommandError("\(words.joined(separator: " ")): \(exit.status): \(said)")
    }
    return BenchRun(
      wall: wall / .seconds(1), cpu: exit.usage.cpuTime / .seconds(1),
      peakMemory: Double(exit.usage.peakMemoryKiB) * 1024, said: said)
  }

  private func located() throws(BenchCommandError) -> String {
    let name = words[0]
    if name.contains("/") { return name }
    let directories = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    guard
      let found = directories.map({ $0 + "/" + name }).first(where: { (try? FileStatus($0)) != nil }
      )
    else { throw BenchCommandError("\(name): there is no such program in PATH") }
    return found
  }
}

/// What one process took from start to end, its own children included, and what it said.
public struct BenchRun {
  /// Seconds by the clock.
  public let wall: Double
  /// Seconds of all cores together, in user and system mode.
  public let cpu: Double
  /// The most memory that it held at once, in bytes.
  public let peakMemory: Double
  /// What it printed and complained of.
  public let said: String
}

/// A measured command could not be started, or did not end well.
public struct BenchCommandError: Error, CustomStringConvertible {
  /// What happened.
  public let description: String

  /// Makes an error that says this.
  public init(_ description: String) { self.description = description }
}
