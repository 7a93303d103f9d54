import Glibc
import Platform
import Testing

@Suite("EventLoop", .timeLimit(.minutes(10)))
struct EventLoopTests {
  @Test func `a handler is called when its descriptor can be read`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    let reader = pipe.reader.rawValue
    var seen: [EventLoop.Events] = []
    try loop.add(reader) { events in
      seen.append(events)
      loop.stop()
    }
    #expect(try !loop.runOnce(timeout: .zero))
    try pipe.writer.writeAll("x")
    try loop.run()
    #expect(seen == [.readable])
  }

  @Test func `what is left unread is reported again`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    try pipe.writer.writeAll("abc")
    var bytes: [UInt8] = []
    try loop.add(pipe.reader.rawValue) { _ in
      if case .bytes(let some) = try pipe.reader.read(upTo: 1) { bytes += some }
    }
    try loop.run { bytes.count == 3 }
    #expect(bytes == Array("abc".utf8))
    #expect(try !loop.runOnce(timeout: .zero))
  }

  @Test func `a closed other end is a hang-up`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    let reader = pipe.reader
    try pipe.writer.close()
    var seen: EventLoop.Events = []
    try loop.add(reader.rawValue) { events in
      seen = events
      loop.remove(reader.rawValue)
    }
    try loop.run()
    #expect(seen == .hangup)
  }

  @Test func `a handler removed by another is not called, though both were ready`() throws {
    let loop = try EventLoop()
    let (first, second) = (try ReadyPipe(), try ReadyPipe())
    var calls = 0
    for (own, other) in [(first, second), (second, first)] {
      try loop.add(own.reader) { _ in
        calls += 1
        loop.remove(other.reader)
        loop.remove(own.reader)
      }
    }
    try loop.run()
    #expect(calls == 1)
    #expect(loop.isIdle)
  }

  @Test func `a descriptor that got the number of a removed one does not get its events`() throws {
    let loop = try EventLoop()
    let victim = try Victim()
    let replacement = try Pipe()
    var wrong = false
    for (own, other) in [(victim.first, victim.second), (victim.second, victim.first)] {
      try loop.add(own) { _ in
        loop.remove(own)
        loop.remove(other)
        // The same number, now another pipe that has nothing to read.
        try #require(dup2(replacement.reader.rawValue, other) == other)
        try loop.add(other) { _ in wrong = true }
        loop.schedule(after: .zero) { loop.stop() }
      }
    }
    try loop.run()
    #expect(!wrong)
  }

  @Test func `a handler added by another is called later`() throws {
    let loop = try EventLoop()
    let (first, second) = (try ReadyPipe(), try ReadyPipe())
    var order: [String] = []
    try loop.add(first.reader) { _ in
      order.append("first")
      loop.remove(first.reader)
      try loop.add(second.reader) { _ in
        order.append("second")
        loop.remove(second.reader)
      }
    }
    try loop.run()
    #expect(order == ["first", "second"])
  }

  @Test func `interest in writing can be switched on and off`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var calls = 0
    try loop.add(pipe.writer.rawValue, []) { events in
      #expect(events == .writable)
      calls += 1
    }
    #expect(try !loop.runOnce(timeout: .zero))
    try loop.modify(pipe.writer.rawValue, .write)
    #expect(try loop.runOnce(timeout: .zero))
    try loop.modify(pipe.writer.rawValue, [])
    #expect(try !loop.runOnce(timeout: .zero))
    #expect(calls == 1)
  }

  @Test func `a descriptor cannot be watched twice, and one not watched not be modified`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    try loop.add(pipe.reader.rawValue) { _ in }
    let twice = #expect(throws: PlatformError.self) { try loop.add(pipe.reader.rawValue) { _ in } }
    #expect(twice?.code == .exists)
    let unknown = #expect(throws: PlatformError.self) { try loop.modify(pipe.writer.rawValue, []) }
    #expect(unknown?.code == .notFound)
    loop.remove(pipe.writer.rawValue)
  }

  @Test func `timers go off in the order of their deadlines`() throws {
    let loop = try EventLoop()
    var order: [Int] = []
    let now = BootClock.now
    for (number, delay) in [(3, 3), (1, 1), (2, 2), (4, 3)] {
      loop.schedule(at: now + .milliseconds(delay)) { order.append(number) }
    }
    try loop.run()
    #expect(order == [1, 2, 3, 4])
    #expect(BootClock.now >= now + .milliseconds(3))
  }

  @Test func `a deadline gone by goes off at once`() throws {
    let loop = try EventLoop()
    var fired = false
    loop.schedule(at: .zero) { fired = true }
    #expect(try loop.runOnce())
    #expect(fired)
  }

  @Test func `a cancelled timer does not go off, even when it was due together with another`()
    throws
  {
    let loop = try EventLoop()
    var fired: [String] = []
    var second: EventLoop.Timer?
    let now = BootClock.now
    loop.schedule(at: now) {
      fired.append("first")
      if let second { loop.cancel(second) }
    }
    second = loop.schedule(at: now) { fired.append("second") }
    loop.schedule(at: now) { fired.append("third") }
    try loop.run()
    #expect(fired == ["first", "third"])
  }

  @Test func `an earlier timer added later is waited for first`() throws {
    let loop = try EventLoop()
    let late = loop.schedule(after: .seconds(3_600)) {}
    _ = try loop.runOnce(timeout: .zero)
    var fired = false
    loop.schedule(after: .milliseconds(1)) {
      fired = true
      loop.cancel(late)
    }
    try loop.run()
    #expect(fired)
  }

  @Test func `a repeating timer goes off until it is cancelled`() throws {
    let loop = try EventLoop()
    var count = 0
    var timer: EventLoop.Timer?
    timer = loop.schedule(every: .milliseconds(1)) {
      count += 1
      if count == 3, let timer { loop.cancel(timer) }
    }
    try loop.run()
    #expect(count == 3)
  }

  @Test func `a timer scheduled by a timer waits for the next turn`() throws {
    let loop = try EventLoop()
    let pipe = try ReadyPipe()
    var order: [String] = []
    try loop.add(pipe.reader) { _ in
      order.append("read")
      loop.remove(pipe.reader)
    }
    func again(_ count: Int) {
      loop.schedule(after: .zero) {
        order.append("timer")
        if count > 1 { again(count - 1) }
      }
    }
    again(2)
    _ = try loop.runOnce(timeout: .seconds(60))
    #expect(order.filter { $0 == "timer" }.count <= 1)
    try loop.run()
    #expect(order.filter { $0 == "timer" }.count == 2)
  }

  @Test func `stop keeps the handlers that were ready too from being called`() throws {
    let loop = try EventLoop()
    let (first, second) = (try ReadyPipe(), try ReadyPipe())
    var calls = 0
    for pipe in [first, second] {
      try loop.add(pipe.reader) { _ in
        calls += 1
        loop.stop()
      }
    }
    try loop.run()
    #expect(calls == 1)
  }

  @Test func `an error thrown by a handler ends the run`() throws {
    struct Broken: Error {}
    let loop = try EventLoop()
    loop.schedule(after: .zero) { throw Broken() }
    #expect(throws: Broken.self) { try loop.run() }
  }

  @Test func `more descriptors than one wait reports are all served`() throws {
    let loop = try EventLoop()
    let pipes = try (0..<150).map { _ in try ReadyPipe() }
    var served: Set<Int32> = []
    for pipe in pipes {
      try loop.add(pipe.reader) { _ in
        served.insert(pipe.reader)
        loop.remove(pipe.reader)
      }
    }
    try loop.run()
    #expect(served.count == pipes.count)
  }

  @Test func `a run with nothing to wait for returns`() throws {
    try EventLoop().run()
  }
}

/// A pipe with something to read, in a class so that arrays hold it.
private final class ReadyPipe {
  private let pipe: Pipe

  var reader: Int32 { pipe.reader.rawValue }

  init() throws {
    pipe = try Pipe()
    try pipe.writer.writeAll("x")
  }
}

/// Two readable descriptors with numbers of their own.
private final class Victim {
  private let pipe: ReadyPipe
  let first: Int32
  let second: Int32

  init() throws {
    pipe = try ReadyPipe()
    first = dup(pipe.reader)
    second = dup(pipe.reader)
    try #require(first >= 0 && second >= 0)
  }

  deinit {
    close(first)
    close(second)
  }
}
