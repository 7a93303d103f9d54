import Glibc
import Testing

@testable import Platform

@Suite("SignalWatch", .timeLimit(.minutes(10)))
struct SignalWatchTests {
  @Test func `a signal is read as data with its sender`() throws {
    let watch = try SignalWatch([.terminalInput, .terminalOutput])
    #expect(try watch.next() == nil)
    raise(SIGTTIN)
    raise(SIGTTOU)
    let loop = try EventLoop()
    var seen: [SignalWatch.Arrival] = []
    try loop.add(watch.descriptor) { _ in
      while let arrival = try watch.next() { seen.append(arrival) }
    }
    try loop.run { seen.count == 2 }
    #expect(seen.map(\.signal) == [.terminalInput, .terminalOutput])
    #expect(Set(seen.map(\.sender)) == [getpid()])
    #expect(try watch.next() == nil)
  }

  @Test func `signals have names`() {
    #expect("\(Signal.kill)" == "SIGKILL")
    #expect("\(Signal(rawValue: 120))" == "signal 120")
  }
}

@Suite("System")
struct SystemTests {
  @Test func `a process that gives back loaded pages is smaller and goes on`() throws {
    /// The pages of files that are in this process.
    func pagesOfFiles() throws -> Int {
      let words = String(decoding: try Files.read("/proc/self/statm"), as: UTF8.self).split(
        separator: " ")
      return try #require(Int(words[2]))
    }
    let before = try pagesOfFiles()
    Host.giveBackLoadedPages()
    #expect(try pagesOfFiles() < before)
  }

  @Test func `the boot clock goes forward in its two units`() {
    let (first, second) = (BootClock.now, BootClock.now)
    #expect(first <= second)
    #expect(BootClock.nowMS >= second.inNanoseconds / 1_000_000)
    #expect(Duration.seconds(Int64.max).inNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).inNanoseconds == .min)
    #expect(Duration.milliseconds(-1500).inNanoseconds == -1_500_000_000)
  }

  @Test func `base directories follow the variables that are absolute`() {
    let given = BaseDirectories(environment: [
      "HOME": "/home/me", "XDG_STATE_HOME": "/state", "XDG_CACHE_HOME": "relative",
      "XDG_CONFIG_HOME": "",
    ])
    #expect(given.stateHome == "/state")
    #expect(given.cacheHome == "/home/me/.cache")
    #expect(given.configHome == "/home/me/.config")
    #expect(BaseDirectories(environment: [:]).stateHome.hasSuffix("/.local/state"))
    #expect(BaseDirectories(environment: ["HOME": "nowhere"]).stateHome.hasPrefix("/"))
  }

  @Test func `the executable is found by a path that can be started`() throws {
    let status = try FileStatus(Executable.path)
    #expect(try status.isSameFile(as: FileStatus(Executable.itself)))
  }

  @Test(arguments: [
    ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000", 2), ("50000 100000", 1),
    ("", nil), ("0 100000", nil), ("1 0", nil), ("a b", nil),
  ])
  func `a control group's quota is whole cores, rounded up`(text: String, cores: Int?) {
    #expect(CoreCount.cores(inQuota: text) == cores)
  }

  @Test func `at least one core is there`() {
    #expect(CoreCount.available >= 1)
  }

  @Test func `a pipe is no terminal`() throws {
    let pipe = try Pipe()
    #expect(!Terminal.isTerminal(pipe.reader.rawValue))
    #expect(Terminal.columns(pipe.reader.rawValue) == nil)
  }

  @Test func `a terminal's width is asked of it`() throws {
    let terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    defer { close(terminal) }
    #expect(Terminal.isTerminal(terminal))
    #expect(Terminal.columns(terminal) == nil)
    var size = winsize(ws_row: 24, ws_col: 132, ws_xpixel: 0, ws_ypixel: 0)
    try #require(unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
    #expect(Terminal.columns(terminal) == 132)
  }

  @Test func `an error says what, why and by which call, and can be matched`() {
    let error = PlatformError(code: .noSpace, call: "write", subject: "out/clip")
    #expect("\(error)" == "out/clip: No space left on device (write)")
    #expect(error.isNoSpace && !error.isNotFound && !error.isPermission)
    #expect(PlatformError(code: .quotaExceeded, call: "", subject: "").isNoSpace)
    #expect("\(ErrorCode(rawValue: 9_999))" == "error 9999")
    do {
      throw error
    } catch ErrorCode.noSpace {
    } catch {
      Issue.record("not matched: \(error)")
    }
  }
}
