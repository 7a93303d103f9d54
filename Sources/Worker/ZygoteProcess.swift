import Platform

/// A job process that was asked for.
struct JobLaunch {
  /// What it gets as its descriptors 0, 1 and 2.
  let descriptors: [Int32]
  /// Whom to tell.
  let completion: JobLauncher.Completion
  /// When it was asked for.
  let requestedAt = BootClock.now
}

/// A zygote as its supervisor sees it: the process, the connection, and what it has not answered yet.
final class ZygoteProcess {
  let process: ChildProcess
  let socket: PacketSocket
  /// Whether it has said that it is warm.
  var isReady = false
  /// Whether it, and every new process that has not answered, has closed the connection.
  var isClosed = false
  /// Whether a timer runs for its answers.
  var isWatched = false
  private var unanswered: [UInt64: JobLaunch] = [:]
  private var lastTicket: UInt64 = 0

  /// Starts a zygote: `command` is the program and its arguments.
  init(_ command: [String], environment: [String: String]) throws(PlatformError) {
    let pair = try PacketSocketPair()
    var launch = ChildProcess.Launch(command[0], Array(command.dropFirst()))
    launch.arguments[0] = "keymill"
    launch.environment = environment
    // Symbols are looked up once, here, and not in each of its forks.
    launch.environment["LD_BIND_NOW"] = "1"
    launch.descriptors = [Zygote.connection: pair.theirs.rawValue]
    process = try ChildProcess(launch)
    socket = pair.ours
    try socket.setNonBlocking()
  }

  /// Asks for a process; where the zygote has just died, the request is one without an answer.
  ///
  /// - Throws: `wouldBlock` where too many requests are waiting.
  func request(_ launch: JobLaunch) throws(PlatformError) {
    lastTicket += 1
    do throws(PlatformError) {
      try socket.send(
        ZygoteMessage.fork(ticket: lastTicket).bytes, descriptors: launch.descriptors)
    } catch {
      guard error.code == .brokenPipe || error.code == .connectionReset else { throw error }
    }
    unanswered[lastTicket] = launch
  }

  /// What it or a new process says next; nil when all of them have closed the connection.
  ///
  /// - Throws: `wouldBlock` where there is nothing yet.
  func nextAnswer() throws(PlatformError) -> ZygoteMessage? {
    while let packet = try socket.receive() {
      if let message = ZygoteMessage(packet.bytes) { return message }
    }
    return nil
  }

  /// The request with this ticket, which is now answered.
  func take(_ ticket: UInt64) -> JobLaunch? { unanswered.removeValue(forKey: ticket) }

  /// All requests without an answer, in the order they were made.
  func takeUnanswered() -> [JobLaunch] {
    defer { unanswered = [:] }
    return unanswered.sorted { $0.key < $1.key }.map(\.value)
  }

  /// How long the oldest request has been without an answer; nil where there is none.
  var oldestRequestAge: Duration? {
    unanswered.values.map(\.requestedAt).min().map { BootClock.now - $0 }
  }
}
