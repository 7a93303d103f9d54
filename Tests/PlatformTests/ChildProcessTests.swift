import Glibc
import Platform
import TestSupport
import Testing

@Suite("ChildProcess", .temporaryDirectory, .timeLimit(.minutes(10)))
struct ChildProcessTests {
  /// Runs a shell script whose standard output goes to a file, and returns both.
  private func run(
    _ script: String, environment: [String: String] = ["PATH": "/usr/bin:/bin"],
    descriptors: [Int32: Int32] = [:]
  ) throws -> (exit: Exit, output: String) {
    let output = try FileDescriptor.open(path("stdout"), .write)
    var given = descriptors
    given[1] = output.rawValue
    let child = try ChildProcess(
      .init("/bin/sh", ["-c", script], environment: environment, descriptors: given))
    return (try child.wait(), try text(path("stdout")))
  }

  @Test func `an exit code comes back`() throws {
    #expect(try run("exit 65").exit.status == .exited(65))
    let success = try run("true").exit.status
    #expect(success.isSuccess)
  }

  @Test func `a signal that ended it comes back with its name`() throws {
    let status = try run("kill -SEGV $$").exit.status
    #expect(status == .signalled(.segmentationFault))
    #expect("\(status)" == "SIGSEGV")
  }

  @Test func `arguments and environment arrive as they are and nothing else does`() throws {
    let output = try FileDescriptor.open(path("stdout"), .write)
    let child = try ChildProcess(
      .init(
        "/usr/bin/env", ["-0"], environment: ["A": "x=y", "B": "grün\n", "C": ""],
        descriptors: [1: output.rawValue]))
    #expect(try child.wait().status.isSuccess)
    let variables = try text(path("stdout")).split(separator: "\0").sorted()
    #expect(variables == ["A=x=y", "B=grün\n", "C="])
    let arguments = try ChildProcess(
      .init(
        "/usr/bin/printf", ["[%s]", "-x", "a b", "%d:é", ""],
        descriptors: [1: FileDescriptor.open(path("arguments"), .write).release()]))
    #expect(try arguments.wait().status.isSuccess)
    #expect(try text(path("arguments")) == "[-x][a b][%d:é][]")
  }

  @Test func `it has the descriptors it was given and no others`() throws {
    let (first, second) = (try FileDescriptor.open("/dev/zero", .read).release(), dup(1))
    defer {
      close(first)
      close(second)
    }
    // Open in this process without the flag that would close it on exec.
    let leak = dup(first)
    defer { close(leak) }
    let (_, output) = try run(
      "ls /proc/$$/fd", descriptors: [4: first, 7: second])
    #expect(output.split(separator: "\n").compactMap { Int($0) }.sorted() == [0, 1, 2, 4, 7])
  }

  @Test func `descriptors can be exchanged and doubled`() throws {
    let first = try FileDescriptor.open(try makeFile("first", "1"), .read)
    let second = try FileDescriptor.open(try makeFile("second", "2"), .read)
    let (a, b) = (first.rawValue, second.rawValue)
    let spare = max(a, b) + 1
    let (_, output) = try run(
      "readlink /proc/$$/fd/\(a) /proc/$$/fd/\(b) /proc/$$/fd/\(spare)",
      descriptors: [a: b, b: a, spare: a])
    #expect(
      output.split(separator: "\n").map { Files.name(of: String($0)) }
        == ["second", "first", "first"])
  }

  @Test func `standard descriptors that are not given are the null device`() throws {
    let (exit, output) = try run("readlink /proc/$$/fd/0 /proc/$$/fd/2; cat")
    #expect(exit.status.isSuccess)
    #expect(output == "/dev/null\n/dev/null\n")
  }

  @Test func `it starts with no signal blocked or ignored`() throws {
    let watch = try SignalWatch([.terminate, .child, .hangup])
    Signal.windowChange.ignore()
    let (_, output) = try run("grep -E '^Sig(Blk|Ign)' /proc/self/status")
    withExtendedLifetime(watch) {}
    let masks = output.split(separator: "\n").map {
      $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    }
    // glibc leaves its own two signals, 32 and 33, ignored; no program can use them.
    #expect(masks.map { $0.map { $0 & ~(0b11 << 31) } } == [0, 0])
  }

  @Test func `it leads a process group of its own`() throws {
    let (_, output) = try run("cut -d' ' -f1,5 /proc/$$/stat; cut -d' ' -f5 /proc/self/stat")
    let numbers = output.split(whereSeparator: \.isWhitespace)
    #expect(Set(numbers).count == 1)
    #expect(numbers.first.map(String.init) != "\(getpgrp())")
  }

  @Test func `it starts in the directory it was given`() throws {
    let output = try FileDescriptor.open(path("stdout"), .write)
    let child = try ChildProcess(
      .init(
        "/bin/pwd", ["-P"], descriptors: [1: output.rawValue], workingDirectory: directory))
    #expect(try child.wait().status.isSuccess)
    let place = try text(path("stdout")).dropLast()
    #expect(try FileStatus(String(place)).isSameFile(as: FileStatus(directory)))
  }

  @Test func `a program that is not there is named at once`() throws {
    let error = #expect(throws: PlatformError.self) {
      try ChildProcess(.init(path("none")))
    }
    #expect(error?.description == "\(path("none")): No such file or directory (posix_spawn)")
  }

  @Test func `its end wakes an event loop and reaping does not block before`() throws {
    let input = try Pipe()
    let child = try ChildProcess(
      .init("/bin/cat", descriptors: [0: input.reader.rawValue]))
    #expect(try child.reap() == nil)
    let loop = try EventLoop()
    var exit: Exit?
    try loop.add(child.descriptor) { _ in
      exit = try child.reap()
      loop.stop()
    }
    try input.writer.close()
    try loop.run()
    #expect(exit?.status == .exited(0))
    #expect(try child.reap() == exit)
    #expect(!child.send(.kill))
  }

  @Test func `a signal to the group reaches what the process started`() throws {
    let output = try Pipe()
    let child = try ChildProcess(
      .init(
        "/bin/sh", ["-c", "sleep 1000 & echo ready; wait"],
        descriptors: [1: output.writer.rawValue]))
    try output.writer.close()
    guard case .bytes = try output.reader.read() else {
      Issue.record("the child wrote nothing")
      return
    }
    #expect(child.sendToGroup(.terminate))
    #expect(try child.wait().status == .signalled(.terminate))
    // Both held the pipe's other end.
    #expect(try output.reader.read() == .endOfFile)
  }

  @Test func `what is left of its group ends with it`() throws {
    let output = try Pipe()
    let child = try ChildProcess(
      .init(
        "/bin/sh", ["-c", "trap '' TERM HUP; sleep 1000 & exit 3"],
        descriptors: [1: output.writer.rawValue]))
    try output.writer.close()
    #expect(try child.wait().status == .exited(3))
    #expect(try output.reader.read() == .endOfFile)
  }

  @Test func `its CPU time and memory are measured`() throws {
    let usage = try run("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done").exit.usage
    #expect(usage.cpuTime > .zero)
    #expect(usage.cpuTime == usage.userTime + usage.systemTime)
    #expect(usage.peakMemoryKiB > 100)
  }

  @Test func `a process whose parent is another one is told so`() {
    let error = #expect(throws: PlatformError.self) { try dieWithParent(1 << 22) }
    #expect(error?.code == .noSuchProcess)
  }

  @Test func `a process tied to its parent dies when the parent is gone`() async throws {
    let alive = path("alive")
    try #require(unsafe mkfifo(alive, 0o600) == 0)
    // Opened for both directions first, so that neither side waits for the other to open it.
    let holder = FileDescriptor(owning: unsafe open(alive, O_RDWR | O_CLOEXEC))
    let reader = try FileDescriptor.open(alive, .read)
    await #expect(processExitsWith: .success) { [alive = alive as String] in
      try leaveChildTiedToThisProcess(holding: alive)
    }
    try holder.close()
    // The end comes only when the child, which holds the other end open, is gone.
    #expect(try reader.readToEnd() == Array("x".utf8))
  }

  @Test func `a process knows its own peak memory whatever its parent had`() throws {
    func peak() throws -> Int {
      let status = String(decoding: try Files.read("/proc/self/status"), as: UTF8.self)
      let line = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/))
      return try #require(Int(line.1))
    }
    let before = try peak()
    let measured = ResourceUsage.current.peakMemoryKiB
    #expect(try (before...peak()).contains(measured))
  }
}

/// Forks a child that ties itself to this process, says so through the FIFO, and then only waits.
private func leaveChildTiedToThisProcess(holding path: String) throws {
  // Swift does not import `fork`; the child below calls nothing that needs another thread.
  guard let symbol = unsafe dlsym(nil, "fork") else {
    throw PlatformError(code: .notImplemented, call: "dlsym", subject: "fork")
  }
  let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
  let ready = try Pipe()
  let parent = getpid()
  let alive = try FileDescriptor.open(path, .append)
  if fork() == 0 {
    do {
      try dieWithParent(parent)
      try alive.writeAll("x")
      try ready.writer.writeAll("x")
    } catch {
      _exit(1)
    }
    while true { pause() }
  }
  _ = try ready.reader.read()
}
