internal import CFFmpeg
internal import Glibc
internal import Synchronization

/// A line that FFmpeg logs.
public struct LogLine: Hashable, Sendable {
  /// How serious a line is, from worst.
  public enum Level: Int32, Hashable, Sendable, Comparable {
    /// The library cannot go on at all.
    case panic = 0
    /// An operation cannot go on.
    case fatal = 8
    /// Something is wrong, and data may be lost.
    case error = 16
    /// Something looks wrong.
    case warning = 24
    /// Facts for users.
    case info = 32
    /// More facts.
    case verbose = 40
    /// Facts for developers.
    case debug = 48

    /// Orders by severity, the worst first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// How serious it is.
  public let level: Level
  /// The part of FFmpeg that says so, such as `h264`; nil where it does not tell.
  public let component: String?
  /// What it says, in one line.
  public let message: String
}

extension LogLine: CustomStringConvertible {
  /// `component: message`.
  public var description: String { component.map { "\($0): \(message)" } ?? message }
}

/// Keeps what FFmpeg logs in the whole process, instead of stderr.
public enum LogCapture {
  /// The lines kept, and how many more there were.
  public struct Lines: Sendable {
    /// The first lines in order.
    public var lines: [LogLine] = []
    /// Lines that came after those, and were counted only.
    public var dropped = 0

    fileprivate mutating func add(_ line: LogLine, atMost capacity: Int) {
      if lines.count < capacity { lines.append(line) } else { dropped += 1 }
    }
  }

  /// Begins to keep lines of `level` and worse, the first `capacity` of them between two
  /// ``take()``s; the rest is counted, since damaged files may log without end.
  public static func start(level: LogLine.Level = .error, capacity: Int = 1000) {
    state.withLock { state in
      state.level = level
      state.capacity = capacity
    }
    // The callback captures nothing, and may be called on any thread.
    unsafe av_log_set_callback { object, level, format, arguments in
      guard let arguments = unsafe arguments else { return }
      unsafe LogCapture.receive(object, level, format, arguments)
    }
  }

  /// Gives the lines since the last call, and forgets them.
  public static func take() -> Lines {
    state.withLock { state in
      defer { state.kept = Lines() }
      return state.kept
    }
  }

  /// Runs `body`, and gives the lines that are logged on this thread meanwhile apart from all others.
  ///
  /// Those of other threads stay for ``take()``, also where they work for `body`. Where `body` throws,
  /// its lines are forgotten.
  public static func apart<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> (R, Lines) {
    let thread = pthread_self()
    let outer = state.withLock { $0.apart.updateValue(Lines(), forKey: thread) }
    defer { state.withLock { $0.apart[thread] = outer } }
    let result = try body()
    return (result, state.withLock { $0.apart[thread] ?? Lines() })
  }

  private struct State: Sendable {
    var level = LogLine.Level.error
    var capacity = 0
    var kept = Lines()
    /// The lines of threads that keep theirs apart.
    var apart: [pthread_t: Lines] = [:]
  }

  private static let state = Mutex(State())

  private static func receive(
    _ object: UnsafeMutableRawPointer?, _ rawLevel: Int32, _ format: UnsafePointer<CChar>?,
    _ arguments: CVaListPointer
  ) {
    // The upper bits may hold a colour.
    guard let level = LogLine.Level(rawValue: rawLevel & 0xff),
      state.withLock({ level <= $0.level })
    else { return }
    let message = unsafe text(object, rawLevel, format, arguments)
    guard !message.isEmpty else { return }
    let component = unsafe km_log_component(object).map { unsafe String(cString: $0) }
    let line = LogLine(level: level, component: component, message: message)
    let thread = pthread_self()
    state.withLock { state in
      let capacity = state.capacity
      if state.apart[thread] == nil {
        state.kept.add(line, atMost: capacity)
      } else {
        state.apart[thread]?.add(line, atMost: capacity)
      }
    }
  }

  private static func text(
    _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>?,
    _ arguments: CVaListPointer
  ) -> String {
    // No prefix: it holds addresses, which differ from run to run.
    var printsPrefix: Int32 = 0
    var buffer = [CChar](repeating: 0, count: 1024)
    _ = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      unsafe av_log_format_line2(
        object, level, format, arguments, buffer.baseAddress, Int32(buffer.count), &printsPrefix)
    }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let isSpace = { (byte: UInt8) in byte <= 0x20 }
    let end = bytes.lastIndex { !isSpace($0) } ?? -1
    return String(decoding: bytes[...end].drop(while: isSpace), as: UTF8.self)
  }
}
