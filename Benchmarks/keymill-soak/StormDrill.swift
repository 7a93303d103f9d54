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
    // What takes long enough to be caught each time.
    let poison = try Work(
      poison: "everything", room.sample("sprite-magenta.mp4"), in: room)
    var plan = StormPlan()
    try plan.submit(
      (0..<jobs).map { [jobs / 5, jobs / 2].contains($0) ? poison : works[$0 % works.count] },
      to: store, in: room)
    plan.poison = Set(plan.works.filter { $0.value.isPoison }.keys)
    let pools = try Pools(3, room: room, lease: Self.lease)
    defer { pools.abandon() }
    var storm = Storm(
      over: pools, of: store, poison: plan.poison, kills: kills, freezes: stops,
      // Until another has looked for leases that ran out.
      freezing: Self.lease + .milliseconds(1500), seed: seed)
    try ride(&storm, pools, store, &plan, works)
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

  /// Until all jobs have ended; a storm that is slower than they are gets more of them.
  private func ride(
    _ storm: inout Storm, _ pools: Pools, _ store: JobStore, _ plan: inout StormPlan,
    _ works: [Work]
  ) throws {
    var ended = 0
    var endedAt = BootClock.now
    while ended < plan.works.count {
      try pools.tend()
      try storm.blow(part: Double(ended) / Double(jobs))
      let stats = try store.stats()
      let now = JobState.allCases.filter(\.isFinal).reduce(0) { $0 + stats.count($1) }
      if now != ended { (ended, endedAt) = (now, BootClock.now) }
      if !storm.isOver, plan.works.count - ended < works.count {
        try plan.submit(works, to: store, in: room)
      }
      guard BootClock.now - endedAt < .seconds(120) else {
        throw SoakError("\(plan.works.count - ended) jobs are left; none ended for two minutes")
      }
      pause(.milliseconds(10))
    }
  }
}

/// What was asked of the queue.
struct StormPlan {
  /// Each job's work.
  private(set) var works: [Job.ID: Work] = [:]
  /// The jobs whose processes are killed each time.
  var poison: Set<Job.ID> = []

  /// Submits a job for each work; of four one may be given what another has made.
  mutating func submit(_ new: [Work], to store: JobStore, in room: Room) throws {
    let first = works.count
    let jobs = new.enumerated().map { index, work in
      var job = work.job(first + index, in: room)
      job.isForced = index % 4 != 0
      return job
    }
    for (work, submission) in zip(new, try store.submit(jobs, now: Date())) {
      works[submission.job.id] = work
    }
    try Doorbell(besideQueue: room.queue).ring()
  }
}
