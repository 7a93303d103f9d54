import FoundationEssentials
import Glibc
import JobQueue
import Platform

/// Outputs on a file system that is full, and has room again later.
struct FullDiskDrill {
  private let room: Room

  init(_ room: Room) { self.room = room }

  /// Runs it; without the right to mount a file system it says so and checks nothing.
  func run() throws -> [Check] {
    let promise = "jobs wait for room on the disk, and none fails for the lack of it"
    try Files.makeDirectory(room.path("out"))
    guard unsafe mount("none", room.path("out"), "tmpfs", 0, "size=8m") == 0 else {
      return [Check(promise: promise, seen: "nothing: mounting needs root", violations: [])]
    }
    defer { _ = unsafe umount2(room.path("out"), Int32(MNT_DETACH)) }
    let filler = room.path("out/filler")
    try Self.fill(filler)
    let store = try JobStore(path: room.queue, role: .client)
    let works = try submit(to: store)
    let pool = try Pools(1, room: room, lease: .seconds(30))
    defer { pool.abandon() }
    try wait(for: "every job found the disk full") {
      try Set(store.everyEvent().filter { $0.kind == .postponed }.map(\.jobID)).count == works.count
    }
    try Files.removeFile(filler)
    try wait(for: "every job ended") { try store.stats().count(.completed) == works.count }
    try pool.end()
    return [
      Check(
        promise: promise, seen: "\(works.count) jobs, 8 MB",
        violations: try faults(store, works) + pool.troubles)
    ]
  }

  /// Writes until nothing more goes in.
  private static func fill(_ path: String) throws {
    let file = try FileDescriptor.open(path, .create)
    let piece = [UInt8](repeating: 0, count: 4096)
    do throws(PlatformError) {
      while true { try file.writeAll(piece) }
    } catch {
      guard error.isNoSpace else { throw error }
    }
  }

  private func submit(to store: JobStore) throws -> [Job.ID: Work] {
    let media = try SmallMedia(in: room)
    let works = try [
      ("sprite", "clip.mp4"), ("audio", "track.mp3"), ("stills", "photo.jpg"),
      ("everything", "clip.mp4"),
    ].map { try Work($0, media.path($1), in: room) }
    let all = (0..<12).map { works[$0 % works.count] }
    let jobs = all.enumerated().map { number, work in
      var job = work.job(number, in: room)
      job.isForced = true
      return job
    }
    let ids = try store.submit(jobs, now: Date()).map(\.job.id)
    return Dictionary(uniqueKeysWithValues: zip(ids, all))
  }

  private func faults(_ store: JobStore, _ works: [Job.ID: Work]) throws -> [String] {
    try store.everyJob().compactMap { job in
      guard job.failures == 0, job.crashes == 0 else {
        return "job \(job.id): \(job.failures) failures, \(job.crashes) crashes"
      }
      guard case .output(let expected)? = works[job.id]?.expectation else { return nil }
      return StormVerdict.fault(of: job.output, expected)
    }
  }
}
