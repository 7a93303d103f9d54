import Foundation
import Glibc
import Platform
import TestSupport
import Testing

/// The real pool with real jobs, and signals from outside.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WorkCommandTests {
  /// A pool that has just begun the job of a clip that takes seconds.
  private func withRunningJob(
    _ body: (KeymillProcess, RunningPool) throws -> Void
  ) throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try Data(#"{"stills": {"at": ["every 0.03s"]}}"#.utf8)
      .write(to: keymill.directory.appending(path: "r.json"))
    try keymill.copy(Checkout.sample("sprite-magenta.mp4"), to: "clip.mp4")
    #expect(try keymill.run("submit", "r.json", "clip.mp4").exitCode == 0)
    let pool = try RunningPool(keymill)
    defer { pool.end() }
    try body(keymill, pool)
  }

  private func attempts(_ keymill: KeymillProcess) throws -> [[String: Any]] {
    try keymill.run("show", "1", "--json").json()["attempts"] as? [[String: Any]] ?? []
  }

  @Test func `SIGTERM lets a running job finish`() throws {
    try withRunningJob { keymill, pool in
      pool.process.send(.terminate)
      try pool.waitForLine(containing: "stopping: 1 running jobs")
      #expect(try pool.process.wait().status == .exited(0))
      #expect(keymill.names(in: "out") == ["clip"])
      #expect(try attempts(keymill).map { $0["outcome"] as? String } == ["completed"])
    }
  }

  @Test func `a second signal gives the job back without counting the attempt`() throws {
    try withRunningJob { keymill, pool in
      pool.process.send(.interrupt)
      try pool.waitForLine(containing: "stopping: 1 running jobs")
      pool.process.send(.interrupt)
      #expect(try pool.process.wait().status == .exited(0))
      let job = try #require(try keymill.jobs("list", "--json").first)
      #expect(job["state"] as? String == "available")
      #expect(job["failures"] as? Int == 0 && job["crashes"] as? Int == 0)
      #expect(keymill.names(in: "out") == [])
      #expect(try attempts(keymill).map { $0["outcome"] as? String } == ["released"])
    }
  }

  @Test func `a killed pool takes its job along, and the next one takes it over at once`() throws {
    try withRunningJob { keymill, pool in
      let jobProcess = try #require(try pool.jobProcess)
      pool.process.send(.kill)
      #expect(try pool.process.wait().status == .signalled(.kill))
      let next = try keymill.run("work", "--drain")
      #expect(next.exitCode == 0)
      #expect(next.errors.contains("job 1 clip.mp4: available, its supervisor is gone"))
      #expect(try ProcessIdentity(pid: jobProcess) == nil)
      #expect(try attempts(keymill).map { $0["error"] as? String } == ["its supervisor died", nil])
      #expect(keymill.names(in: "out") == ["clip"])
    }
  }

  @Test func `a killed job process costs an attempt and not the pool`() throws {
    try withRunningJob { keymill, pool in
      _ = kill(try #require(try pool.jobProcess), SIGKILL)
      try pool.waitForLine(containing: "completed in")
      pool.process.send(.terminate)
      #expect(try pool.process.wait().status == .exited(0))
      #expect(keymill.names(in: "out") == ["clip"])
      let ended = try attempts(keymill)
      #expect(ended.map { $0["outcome"] as? String } == ["crashed", "completed"])
      #expect(ended.first?["signal"] as? Int == 9)
      #expect(ended.first?["peakRSS"] as? Int ?? 0 > 1 << 20)
    }
  }

  @Test func `cancel ends a running job`() throws {
    try withRunningJob { keymill, pool in
      #expect(
        try keymill.run("cancel", "1").errors == "job 1: running; its process is being ended\n")
      try pool.waitForLine(containing: "job 1 clip.mp4: cancelled after")
      #expect(keymill.names(in: "out") == [])
      #expect(try attempts(keymill).map { $0["outcome"] as? String } == ["cancelled"])
    }
  }

  @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a file system"))
  func `a job waits while the disk is full and completes when there is room`() throws {
    let keymill = try KeymillProcess()
    defer { keymill.cleanUp() }
    try keymill.copy(Checkout.recipe("audio"), to: "r.json")
    try keymill.copy(Checkout.sample("track.mp3"), to: "a.mp3")
    let disk = try SmallDisk(keymill.path("out"), kibibytes: 400)
    defer { disk.unmount() }
    try Data(count: 300 << 10).write(to: keymill.directory.appending(path: "out/filler"))
    let submit = try keymill.run("submit", "r.json", "a.mp3", "--max-attempts", "1")
    #expect(submit.exitCode == 0)
    let pool = try RunningPool(keymill, untilStaged: false)
    defer { pool.end() }
    try pool.waitForLine(containing: "; tries again in ")
    #expect(keymill.names(in: "out") == ["filler"])
    try FileManager.default.removeItem(atPath: keymill.path("out/filler"))
    try pool.waitForLine(containing: "completed in")
    let job = try #require(try keymill.jobs("list", "--json").first)
    #expect(job["failures"] as? Int == 0 && job["crashes"] as? Int == 0)
    #expect(keymill.names(in: "out") == ["a"])
  }
}

/// `keymill work`, whose lines the test reads as they come.
final class RunningPool {
  let process: ChildProcess
  private let errors: FileDescriptor
  private var seen = ""

  /// Starts a pool of one process, and waits until its first job has begun to write.
  init(
    _ keymill: KeymillProcess, _ arguments: String..., untilStaged: Bool = true
  ) throws {
    let watch = untilStaged ? try CreationWatch(keymill.path("out")) : nil
    let pipe = try Platform.Pipe()
    var environment = Environment.current
    environment["XDG_STATE_HOME"] = keymill.path("state")
    environment["XDG_CACHE_HOME"] = keymill.path("cache")
    process = try ChildProcess(
      ChildProcess.Launch(
        KeymillProcess.executable.path(percentEncoded: false),
        ["work", "--processes", "1"] + arguments,
        environment: environment, descriptors: [2: pipe.writer.rawValue],
        workingDirectory: keymill.path("")))
    errors = try pipe.reader.duplicate()
    try watch?.wait(for: ".keymill-1-1")
  }

  /// Reads what the pool says until a line holds `text`.
  func waitForLine(containing text: String) throws {
    while !seen.contains(text) {
      guard case .bytes(let bytes) = try errors.read() else {
        Issue.record("the pool ended without \(text), but said: \(seen)")
        return
      }
      seen += String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The process that runs its job.
  var jobProcess: Int32? {
    get throws {
      let pid = process.pid
      let children = try Files.read("/proc/\(pid)/task/\(pid)/children")
      return try String(decoding: children, as: UTF8.self).split(separator: " ").first {
        try String(decoding: Files.read("/proc/\($0)/comm"), as: UTF8.self) != "keymill-zygote\n"
      }.flatMap { Int32($0) }
    }
  }

  /// Ends the pool if it has not ended.
  func end() {
    process.send(.kill)
    _ = try? process.wait()
  }
}

/// Waits for a name to be made in a directory.
struct CreationWatch: ~Copyable {
  private let events: FileDescriptor

  /// Makes the directory and watches it from now on.
  init(_ directory: String) throws {
    try Files.makeDirectory(directory)
    let events = FileDescriptor(owning: inotify_init1(Int32(IN_CLOEXEC)))
    try #require(unsafe inotify_add_watch(events.rawValue, directory, UInt32(IN_CREATE)) >= 0)
    self.events = events
  }

  /// Blocks until the name has been made.
  func wait(for name: String) throws {
    // An event holds the name; no other name of a test begins like this one.
    while case .bytes(let bytes) = try events.read() {
      if String(decoding: bytes, as: UTF8.self).contains(name) { return }
    }
  }
}

/// A file system of few bytes.
struct SmallDisk {
  private let path: String

  /// Whether this user may mount one.
  static let isPossible: Bool = {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "keymill-mount-\(UUID().uuidString)").path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard let disk = try? SmallDisk(path, kibibytes: 64) else { return false }
    disk.unmount()
    return true
  }()

  /// Mounts it at a path, which is made.
  init(_ path: String, kibibytes: Int) throws {
    try Files.makeDirectory(path)
    self.path = path
    guard unsafe mount("none", path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else {
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  /// From now on nobody may write to it.
  func protect() throws {
    let flags = UInt(MS_REMOUNT | MS_RDONLY)
    guard unsafe mount("none", path, "tmpfs", flags, nil) == 0 else {
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  /// Unmounts it.
  func unmount() { _ = unsafe umount(path) }
}
