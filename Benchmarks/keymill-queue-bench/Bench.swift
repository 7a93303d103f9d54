import Foundation
import JobQueue
import Platform

/// The comparisons that the queue's bars are about.
struct Bench {
  let directory: URL
  /// How often each side of a comparison is measured; they take turns.
  let rounds: Int
  /// What stands for a large backlog and a long history.
  let many: Int
  /// The program.
  let keymill: String
  var table = Table()

  /// Measures one part.
  mutating func measure(_ part: BenchPart) throws {
    switch part {
    case .submits: try submits()
    case .drains: try drains()
    case .scheduled: try drainBesideScheduled()
    case .contention: try contention()
    case .history: try history()
    }
  }

  /// Jobs submitted one by one, and all at once.
  mutating func submits() throws {
    let sides = try sides("submit", waiting: 0)
    var result = Comparison()
    for _ in 0..<rounds { try sides.measure(40, into: &result) { try $0.submit(40) } }
    table.add("single durable submits", result, bar: 0.8)
    let bulk = try (0..<5).map { _ in
      try measureTime(100_000) { try sides.queue.submitTogether(100_000) }
    }
    table.add(
      "100,000 jobs in one submit", rate(median(bulk.map(\.rate))), cpu: median(bulk.map(\.cpu)),
      bar: "≥ 100000/s", isMet: median(bulk.map(\.rate)) >= 100_000)
    try submitCommand(inputs: 10_000)
  }

  /// The command as a user types it, on so many files.
  private mutating func submitCommand(inputs count: Int) throws {
    let inputs = directory.appendingPathComponent("inputs").path
    try Files.makeDirectory(inputs)
    let names = (0..<count).map { "clip-\($0).mp4" }
    for name in names { _ = try FileDescriptor.open("\(inputs)/\(name)", .write) }
    let arguments = ["submit", try Files.absolutePath("jobs/audio.json"), "--db"]
    let program = try Files.absolutePath(keymill)
    let runs = try (0..<3).map { number in
      let queue = try file("command-\(number).db")
      return try measureCommand(
        program, arguments + [Files.absolutePath(queue)] + names, in: inputs)
    }
    let best = runs.min { $0.wall < $1.wall } ?? Sample(wall: .infinity, cpu: 0)
    table.add(
      "keymill submit of \(count) inputs, whole", String(format: "%.2f s", best.wall),
      cpu: best.cpu, bar: "< 1 s", isMet: best.wall < 1)
  }

  /// Claim and finish in one commit, on backlogs of several sizes.
  mutating func drains() throws {
    let sizes = [10, 10_000, many]
    let sides = try sizes.map { try self.sides("drain-\($0)", waiting: $0) }
    var results = sizes.map { _ in Comparison() }
    for _ in 0..<rounds {
      for (index, size) in sizes.enumerated() {
        try sides[index].measureDrain(min(size, 160), into: &results[index])
      }
    }
    for (size, result) in zip(sizes, results) {
      table.add("claim + finish, batches of 16, \(size) waiting", result, bar: 0.8)
    }
    table.add(
      "claim + finish of a job, 10000 and \(many) waiting", small: results[1].ours,
      large: results[2].ours, bar: 1.25)
  }

  /// The same beside many jobs that are not due.
  mutating func drainBesideScheduled() throws {
    let sides = try sides("scheduled", waiting: 10_000, scheduled: 100_000)
    var result = Comparison()
    for _ in 0..<rounds { try sides.measureDrain(160, into: &result) }
    table.add("claim + finish, batches of 16, beside 100000 scheduled", result, bar: 0.8)
  }

  /// Eight processes that claim and end the jobs of one queue.
  mutating func contention() throws {
    let (jobs, processes) = (16_000, 8)
    let queue = try Queue(path: file("contention.db"))
    try queue.submitTogether(jobs)
    let sample = try measureTime(jobs) {
      try Competitors(processes, queue: file(of: "contention.db")).run()
    }
    let claimed = try (0..<processes).flatMap { try Competitors.claims(of: $0, in: directory.path) }
    let twice = claimed.count - Set(claimed).count
    table.add(
      "jobs claimed twice or never by \(processes) processes; their rate together",
      "\(twice), \(jobs - Set(claimed).count); \(rate(sample.rate))", bar: "0",
      isMet: twice == 0 && Set(claimed).count == jobs)
  }

  /// A file with a long history beside an empty one, and how large it is.
  mutating func history() throws {
    let empty = try Queue(path: file("empty.db"))
    let full = try Queue(path: file("history.db"))
    for _ in 0..<max(1, many / 100_000) {
      try full.submitTogether(min(many, 100_000))
      try full.drainAsThePool(min(many, 100_000))
    }
    try full.store.checkpoint()
    let before = try size("history.db")
    for queue in [empty, full] { try queue.runAFew(100) }
    try compare("list of 100", empty, full) { _ = try $0.store.list() }
    try compare("stats", empty, full) { _ = try $0.store.stats() }
    try compare("submit, claim and finish of 16 jobs", empty, full) { try $0.runAFew(16) }
    try full.store.compact(endedBefore: Date(timeIntervalSinceNow: 60))
    try full.store.checkpoint()
    let bytes = Double(try size("history.db")) / Double(many)
    table.add(
      "bytes a finished job of \(many), compacted; \(before / many) before",
      String(format: "%.0f", bytes), bar: "< 400", isMet: bytes < 400)
  }
}

// MARK: - Measuring

extension Bench {
  private func file(of name: String) -> String { directory.appendingPathComponent(name).path }

  /// The path of a file that is not there.
  private func file(_ name: String) throws -> String {
    let path = file(of: name)
    for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + ending) {
      try FileManager.default.removeItem(atPath: path + ending)
    }
    return path
  }

  /// New files of each kind with so many jobs in them.
  private func sides(_ name: String, waiting: Int, scheduled: Int = 0) throws -> Sides {
    let sides = Sides(
      bare: try Ceiling(path: file("\(name)-bare.db"), sameRows: false),
      sameRows: try Ceiling(path: file("\(name)-same.db"), sameRows: true),
      queue: try Queue(path: file("\(name).db")))
    if scheduled > 0 {
      for side in sides.all { try side.schedule(scheduled) }
    }
    if waiting > 0 {
      for side in sides.all { try side.submitTogether(waiting) }
    }
    return sides
  }

  private mutating func compare(
    _ what: String, _ empty: Queue, _ full: Queue, _ body: (Queue) throws -> Void
  ) throws {
    var (small, large): ([Sample], [Sample]) = ([], [])
    for _ in 0..<rounds {
      small.append(try measureTime(1) { try body(empty) })
      large.append(try measureTime(1) { try body(full) })
    }
    table.add(
      "\(what), without and with \(many) finished", small: small, large: large, bar: 1.25)
  }

  private func size(_ name: String) throws -> Int {
    let path = directory.appendingPathComponent(name).path
    return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }
}

extension Queue {
  /// Jobs from submit to end.
  fileprivate func runAFew(_ count: Int) throws {
    try submitTogether(count)
    try drain(count, batch: 16)
  }
}
