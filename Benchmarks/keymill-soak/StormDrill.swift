import FoundationEssentials
import JobQueue
import Platform

/// The kill storm: three pools of two processes on one queue, real media, and no mercy.
struct StormDrill {
  private let room: Room
  private let jobs: Int
  private let kills: Int
  private let stops: Int
  private let seed: Int

  /// Longer than a pool needs to be heard of on a busy machine, and far shorter than in real life.
  private static let lease = Duration.seconds(2)

  /// A storm of so many kills and freezes over so many jobs.
  init(_ room: Room, jobs: Int, kills: Int, stops: Int, seed: Int) {
    self.room = room
    self.jobs = jobs
    self.kills = kills
    self.stops = stops
    self.seed = seed
  }

  /// Runs it and looks at what is left.
  func run() throws -> [Check] {
    let works = try works()
    let store = try JobStore(path: room.queue, role: .client)
    let plan = try submit(works, to: store)
    let pools = try Pools(3, room: room, lease: Self.lease)
    defer { pools.abandon() }
    var storm = Storm(
      over: pools, poison: plan.poison, kills: kills, freezes: stops,
      freezing: Self.lease * 2, seed: seed)
    try ride(&storm, pools, store, plan.works.count)
    try pools.end()
    let done = storm.done
    let kills = [Storm.Strike.killSupervisor, .killZygote, .killJob].map { done[$0, default: 0] }
    let verdict = try StormVerdict(plan, store: store, room: room)
    return [
      Check(
        promise: "the storm came down on jobs under way",
        seen: "\(kills[0]) supervisors, \(kills[1]) zygotes, \(kills[2]) jobs killed; "
          + "\(done[.freezeSupervisor, default: 0]) supervisors frozen",
        violations: storm.isOver ? [] : ["the jobs were done before it was over"]),
      Check(
        promise: "pools end only when they are made to", seen: "\(pools.all.count) pools",
        violations: pools.troubles),
    ] + (try verdict.checks())
  }

  /// Recipes of every kind on media of every kind, some hostile.
  private func works() throws -> [Work] {
    let media = try SmallMedia(in: room)
    return try [
      ("sprite", "clip.mp4"), ("green", "green.mp4"), ("audio", "track.mp3"),
      ("stills", "photo.jpg"), ("everything", "clip.mp4"), ("stills", "clip.mp4"),
      ("audio", "clip.mp4"), ("eight-bit", "photo.jpg"), ("sprite", "damaged.mp4"),
      ("sprite", "truncated.mp4"), ("audio", "text.mp4"), ("stills", "empty.jpg"),
      ("sprite", "track.mp3"),
    ].map { try Work($0, media.path($1), in: room) }
  }

  private func submit(_ works: [Work], to store: JobStore) throws -> StormPlan {
    var plan = StormPlan()
    // What takes long enough to be caught each time.
    let poison = try Work(
      poison: "everything", room.sample("sprite-magenta.mp4"), in: room)
    let poisonAt = Set([jobs / 5, jobs / 2])
    let all = (0..<jobs).map { poisonAt.contains($0) ? poison : works[$0 % works.count] }
    let jobs = all.enumerated().map { number, work in
      var job = work.job(number, in: room)
      // Of four one may be given what another has made.
      job.isForced = number % 4 != 0
      return job
    }
    let submitted = try store.submit(jobs, now: Date())
    for (number, submission) in submitted.enumerated() {
      plan.works[submission.job.id] = all[number]
      if poisonAt.contains(number) { plan.poison.insert(submission.job.id) }
    }
    return plan
  }

  /// Until all jobs have ended, or none does for two minutes.
  private func ride(
    _ storm: inout Storm, _ pools: Pools, _ store: JobStore, _ count: Int
  ) throws {
    var ended = 0
    var endedAt = BootClock.now
    while ended < count {
      try pools.tend()
      storm.blow(part: Double(ended) / Double(count))
      let stats = try store.stats()
      let now = JobState.allCases.filter(\.isFinal).reduce(0) { $0 + stats.count($1) }
      if now != ended { (ended, endedAt) = (now, BootClock.now) }
      guard BootClock.now - endedAt < .seconds(120) else {
        throw SoakError("\(count - ended) jobs are left, and none ended for two minutes")
      }
      pause(.milliseconds(10))
    }
  }
}

/// What was asked of the queue.
struct StormPlan {
  /// Each job's work.
  var works: [Job.ID: Work] = [:]
  /// The jobs whose processes are killed each time.
  var poison: Set<Job.ID> = []
}
