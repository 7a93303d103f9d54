import FoundationEssentials
import Glibc
import JobQueue
import Platform

/// The measurements, each on a queue and with a pool of its own.
struct PoolBench {
  /// What the jobs of a measurement are.
  enum Work {
    /// The input is an empty file, so that the job ends where it would begin.
    case nothing
    /// The input is a picture of 2x2 pixels.
    case still
  }

  private let keymill = ".build/release/keymill"
  private let directory: String
  private let jobs: Int

  /// Prepares the bench's directory.
  init(jobs: Int) throws {
    self.jobs = jobs
    directory = try Files.absolutePath(".build/bench/pool")
    try Files.removeTree(directory)
    try Files.makeDirectory(directory)
  }

  /// CPU time of all processes together for one job; the pool's own start is taken off.
  func cpuPerJob(_ work: Work, _ options: String...) throws -> Duration {
    let all = try cpuOfDrain(jobs, work, options)
    let none = try cpuOfDrain(0, work, options)
    return (all - none) / jobs
  }

  private func cpuOfDrain(_ count: Int, _ work: Work, _ options: [String]) throws -> Duration {
    try drain(count, work, ["--processes", "2"] + options).cpu
  }

  /// How long so many stills take with two processes, in halves of what they take with one.
  ///
  /// Of each the best of three runs, which take turns.
  func scaling(jobs: Int) throws -> Double {
    var best = [1: Duration.seconds(Int64.max), 2: .seconds(Int64.max)]
    for _ in 0..<3 {
      for processes in [1, 2] {
        let time = try drain(jobs, .still, ["--processes", "\(processes)"]).wall
        best[processes] = min(best[processes] ?? time, time)
      }
    }
    return (best[2] ?? .zero) / ((best[1] ?? .zero) / 2)
  }

  /// A pool's whole life, from its start to its end when nothing is left.
  private func drain(
    _ count: Int, _ work: Work, _ options: [String]
  ) throws -> (wall: Duration, cpu: Duration) {
    let queue = try Queue(in: directory)
    for number in 0..<count { try queue.submit(try queue.input("\(number)", work)) }
    let begin = BootClock.now
    let pool = try start(queue, ["--drain"] + options, isHeard: false)
    let exit = try pool.process.wait()
    guard case .exited = exit.status else { throw BenchError("keymill work: \(exit.status)") }
    return (BootClock.now - begin, exit.usage.cpuTime)
  }

  /// From the commit of a job to its process's first read of the input, in order of length; the pool
  /// is idle each time.
  func startLatencies() throws -> [Duration] {
    let queue = try Queue(in: directory)
    let pool = try start(queue, ["--processes", "1"])
    defer { pool.end() }
    var times: [Duration] = []
    for number in 0...jobs {
      let input = try queue.input("\(number)", .still)
      let watch = try ReadWatch(input)
      try queue.submit(input)
      let start = BootClock.now
      queue.ring()
      try watch.wait()
      // The first comes while the zygote is still warming up.
      if number > 0 { times.append(BootClock.now - start) }
      try pool.waitForJob(number + 1)
      // Each job is to find the pool at rest, and nothing tells when it has gone to sleep.
      usleep(10_000)
    }
    return times.sorted()
  }

  /// CPU time that a pool without work takes in a second.
  func idleUse(seconds: Int) throws -> Duration {
    let queue = try Queue(in: directory)
    let pool = try start(queue, ["--processes", "2"])
    defer { pool.end() }
    let input = try queue.input("0", .still)
    try queue.submit(input)
    queue.ring()
    try pool.waitForJob(1)
    let before = try pool.cpuTime()
    sleep(UInt32(seconds))
    return (try pool.cpuTime() - before) / seconds
  }

  private func start(
    _ queue: Queue, _ arguments: [String], isHeard: Bool = true
  ) throws -> Pool {
    try Pool(
      keymill, ["work", "--db", queue.path] + arguments,
      environment: ["XDG_CACHE_HOME": directory, "HOME": directory, "PATH": "/usr/bin:/bin"],
      isHeard: isHeard)
  }
}

/// Something went wrong with what is measured.
struct BenchError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
