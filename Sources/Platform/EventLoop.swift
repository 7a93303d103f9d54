import CLinux
import Glibc

/// Waits for descriptors and deadlines on one thread and calls handlers for them, one at a time.
///
/// Level-triggered: a handler that leaves something unread is called again. A handler may add and
/// remove any descriptor or timer, its own included; once removed, a handler is never called again,
/// not even for events that the kernel had reported before. No handler may run the loop. An error thrown by a handler ends the
/// run and is thrown from it.
public final class EventLoop {
  /// What to wait for on a descriptor.
  public struct Interest: OptionSet, Sendable {
    /// The set's bits.
    public let rawValue: UInt32
    /// Makes a set of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something to read, or the end of it.
    public static let read = Interest(rawValue: km_readable)
    /// Room to write.
    public static let write = Interest(rawValue: km_writable)
  }

  /// What a descriptor is ready for.
  public struct Events: OptionSet, Sendable {
    /// The set's bits.
    public let rawValue: UInt32
    /// Makes a set of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A read will not block.
    public static let readable = Events(rawValue: km_readable)
    /// A write will not block.
    public static let writable = Events(rawValue: km_writable)
    /// The other end is closed; there may still be something to read.
    public static let hangup = Events(rawValue: km_hangup)
    /// The descriptor has an error, or nobody reads the other end of a pipe.
    public static let failed = Events(rawValue: km_failed)
  }

  /// A timer that can be cancelled.
  public struct Timer: Hashable, Sendable {
    fileprivate let id: UInt64
  }

  private struct Watcher {
    let generation: UInt32
    let handler: (Events) throws -> Void
  }

  private struct Alarm {
    let interval: Int64?
    let handler: () throws -> Void
  }

  private let epoll: FileDescriptor
  private let clock: FileDescriptor
  private var watchers: [Int32: Watcher] = [:]
  private var generation: UInt32 = 0
  private var timers = TimerHeap<Alarm>()
  /// What the timer descriptor is set to.
  private var armed: Int64?
  private var isStopped = false

  /// Makes a loop with nothing to wait for.
  ///
  /// Wraps `epoll_create1` and `timerfd_create`.
  public init() throws(PlatformError) {
    epoll = FileDescriptor(owning: try check("epoll_create1", "event loop") { km_epoll_create() })
    clock = FileDescriptor(owning: try check("timerfd_create", "event loop") { km_timer_create() })
    try check("epoll_ctl", "timer") {
      km_epoll_add(epoll.rawValue, clock.rawValue, km_readable, token(clock.rawValue, 0))
    }
  }

  /// Whether nothing could ever wake the loop.
  public var isIdle: Bool { watchers.isEmpty && timers.count == 0 }
}

// MARK: - Descriptors

extension EventLoop {
  /// Calls `handler` whenever the descriptor is ready for one of `interest`, hung up or failed.
  ///
  /// The caller still owns the descriptor, and removes it before closing it.
  /// - Throws: `exists` when the descriptor is watched already.
  public func add(
    _ descriptor: Int32, _ interest: Interest = .read,
    handler: @escaping (Events) throws -> Void
  ) throws(PlatformError) {
    generation &+= 1
    let generation = generation
    try check("epoll_ctl", "descriptor \(descriptor)") {
      km_epoll_add(
        epoll.rawValue, descriptor, interest.rawValue, token(descriptor, generation))
    }
    watchers[descriptor] = Watcher(generation: generation, handler: handler)
  }

  /// Changes what a watched descriptor is waited for; an empty set leaves hang-ups and failures.
  public func modify(_ descriptor: Int32, _ interest: Interest) throws(PlatformError) {
    guard let watcher = watchers[descriptor] else {
      throw PlatformError(
        code: .notFound, call: "epoll_ctl", subject: "descriptor \(descriptor)")
    }
    try check("epoll_ctl", "descriptor \(descriptor)") {
      km_epoll_modify(
        epoll.rawValue, descriptor, interest.rawValue, token(descriptor, watcher.generation))
    }
  }

  /// Stops watching a descriptor; does nothing when it is not watched.
  public func remove(_ descriptor: Int32) {
    guard watchers.removeValue(forKey: descriptor) != nil else { return }
    // Fails only when the caller has closed it, and then the kernel has forgotten it too.
    _ = km_epoll_remove(epoll.rawValue, descriptor)
  }

  /// Which descriptor an event is for, and which of the watchers that it may have had in turn.
  private func token(_ descriptor: Int32, _ generation: UInt32) -> UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }
}

// MARK: - Timers

extension EventLoop {
  /// Calls `handler` once, `delay` from now; time in suspend counts.
  @discardableResult
  public func schedule(
    after delay: Duration, handler: @escaping () throws -> Void
  ) -> Timer {
    schedule(at: BootClock.now + delay, handler: handler)
  }

  /// Calls `handler` once, at a time of `BootClock`.
  @discardableResult
  public func schedule(
    at deadline: Duration, handler: @escaping () throws -> Void
  ) -> Timer {
    let alarm = Alarm(interval: nil, handler: handler)
    return Timer(id: timers.add(deadline: deadline.inNanoseconds, alarm))
  }

  /// Calls `handler` every `interval`, first after one; what was missed is not made up for.
  @discardableResult
  public func schedule(
    every interval: Duration, handler: @escaping () throws -> Void
  ) -> Timer {
    precondition(interval > .zero, "a timer needs time between its calls")
    let deadline = (BootClock.now + interval).inNanoseconds
    let alarm = Alarm(interval: interval.inNanoseconds, handler: handler)
    return Timer(id: timers.add(deadline: deadline, alarm))
  }

  /// Cancels a timer; does nothing when it has gone off or was cancelled.
  public func cancel(_ timer: Timer) { timers.cancel(timer.id) }

  /// Calls the handlers of the timers due when it begins; those they add wait for the next turn.
  private func fireTimers() throws {
    let now = BootClock.nowNanoseconds
    while let (id, alarm) = timers.popDue(now) {
      if let interval = alarm.interval {
        // Set again first, so that the handler can cancel it.
        timers.add(deadline: BootClock.nowNanoseconds + interval, id: id, alarm)
      }
      try alarm.handler()
      if isStopped { return }
    }
  }

  private func armClock() throws(PlatformError) {
    let next = timers.next()
    guard next != armed else { return }
    try check("timerfd_settime", "timer") {
      // 0 would disarm it, and a time gone by goes off at once.
      km_timer_set(clock.rawValue, next.map { max(1, $0) } ?? 0)
    }
    armed = next
  }
}

// MARK: - Running

extension EventLoop {
  /// Runs until `stop()` is called or nothing is left to wait for.
  public func run() throws {
    try run { false }
  }

  /// Runs until `condition` holds (asked before each wait), `stop()` is called, or nothing is left
  /// to wait for.
  public func run(until condition: () -> Bool) throws {
    isStopped = false
    while !isStopped, !isIdle, !condition() {
      _ = try turn(timeoutMS: -1)
    }
  }

  /// Ends the run when the handler that calls it returns; no other handler is called before.
  public func stop() { isStopped = true }

  /// Calls the handlers of what is ready; waits for it at most `timeout`, or as long as it takes.
  /// - Returns: whether anything was ready.
  @discardableResult
  public func runOnce(timeout: Duration? = nil) throws -> Bool {
    isStopped = false
    guard let timeout else { return try turn(timeoutMS: -1) }
    // Rounded up: waking before the time is over would spin.
    let milliseconds = (max(timeout, .zero).inNanoseconds + 999_999) / 1_000_000
    return try turn(timeoutMS: Int32(clamping: milliseconds))
  }

  private func turn(timeoutMS: Int32) throws -> Bool {
    try armClock()
    var ready = [km_event](repeating: km_event(), count: 64)
    let count = try wait(&ready, timeoutMS)
    for event in ready.prefix(count) {
      try dispatch(event)
      if isStopped { break }
    }
    return count > 0
  }

  /// Waits once; a signal that interrupts it counts as nothing being ready.
  private func wait(_ ready: inout [km_event], _ timeoutMS: Int32) throws(PlatformError) -> Int {
    let capacity = Int32(ready.count)
    // The call fills at most `capacity` elements.
    let count = unsafe km_epoll_wait(epoll.rawValue, &ready, capacity, timeoutMS)
    guard count < 0 else { return Int(count) }
    let code = ErrorCode(rawValue: errno)
    guard code == .interrupted else {
      throw PlatformError(code: code, call: "epoll_wait", subject: "event loop")
    }
    return 0
  }

  private func dispatch(_ event: km_event) throws {
    let descriptor = Int32(truncatingIfNeeded: event.token)
    guard descriptor != clock.rawValue else {
      // It stays readable until it is set anew.
      armed = nil
      try check("timerfd_settime", "timer") { km_timer_set(clock.rawValue, 0) }
      return try fireTimers()
    }
    // One who was removed, or came under the same number since, did not ask for this event.
    guard let watcher = watchers[descriptor],
      watcher.generation == UInt32(truncatingIfNeeded: event.token >> 32)
    else { return }
    try watcher.handler(Events(rawValue: event.events))
  }
}
