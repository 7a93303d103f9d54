import FoundationEssentials
import JobQueue
import Platform
import Recipes

extension Supervisor {
  /// Brings ended attempts into the queue, and their outputs into place; those whose tracks are being
  /// read wait for that.
  func settle() {
    if stopping == .now { attempt { try releaseUnread() } }
    for ended in endings where ended.keeping != .running {
      do {
        try settle(ended)
      } catch {
        return put(off: error)
      }
      if ended.keeping != .running { endings.removeAll { $0 === ended } }
    }
  }

  private func settle(_ ended: EndedAttempt) throws {
    switch ended.outcome {
    case .made(let result): try publish(result, of: ended)
    case .over(let ending): try finish(ended, as: ending)
    }
  }

  /// Begins to put copied tracks into the cache, once; they have to be there before the output is, since
  /// what they are linked with is the staged file.
  private func keepTracks(_ result: JobResult, of ended: EndedAttempt) {
    guard ended.keeping == .open, stopping != .now, keeper.wants(result) else { return }
    ended.keeping = .running
    do {
      let input = ended.memoKey?.input
      try keeper.keep(result, from: input, in: ended.staging) { [unowned self] trouble in
        ended.keeping = .done
        if let trouble { log(trouble) }
        settle()
        look()
      }
    } catch {
      ended.keeping = .done
      log("the audio cache cannot keep a track: \(error)")
    }
    watchRunning()
  }

  /// Gives back the jobs whose tracks are still being read for the cache, as those that run: reading
  /// gigabytes takes longer than a pool may that is to stop now.
  ///
  /// Not published without: whoever reads would take for the track what an exchange leaves in its place.
  private func releaseUnread() throws {
    for ended in endings where ended.keeping == .running {
      try finish(ended, as: .released("the pool stopped"))
      endings.removeAll { $0 === ended }
    }
  }

  private func finish(_ ended: EndedAttempt, as ending: Ending) throws {
    let state = try store.finish(ended.lease, as: ending, report: ended.report, now: Date())
    conclude(ended, state, ending.words)
  }

  private func publish(_ result: JobResult, of ended: EndedAttempt) throws {
    let publication: Publication?
    do {
      try prepare(result, of: ended)
      if case .install = ended.plan { keepTracks(result, of: ended) }
      guard ended.keeping != .running else { return }
      let completion = try completion(of: ended, result)
      publication = try store.publish(
        ended.lease, completion, report: ended.report, now: Date()
      ) { try ended.publish() }
    } catch is PlaceChanged {
      // Another job published there since we looked.
      ended.plan = nil
      return try publish(result, of: ended)
    } catch let error as PlatformError {
      let message = "cannot be published: \(error)"
      return try finish(
        ended,
        as: error.isNoSpace
          ? .postponed(message, until: Date() + options.spaceWait / .seconds(1))
          : .failed(message, .transient))
    } catch let error as OutputError {
      return try finish(ended, as: .failed("cannot be published: \(error)", .permanent))
    }
    guard let publication else { return conclude(ended, nil, "") }
    if case .installed(let installation) = publication { settle(installation, of: ended) }
    if let input = ended.input { attempt { try downloads?.accept(input) } }
    conclude(ended, .completed, publication.words(for: result))
  }

  private func settle(_ installation: Files.Installation, of ended: EndedAttempt) {
    do throws(PlatformError) {
      try publisher.settle(
        ended.job.output, replaced: installation == .exchanged ? ended.staging : nil)
    } catch {
      // The output is there and whole; what is left beside it harms nobody.
      log("job \(ended.job.id): \(error)")
    }
  }

  /// Does, once, what need not be done under the queue's lock.
  private func prepare(_ result: JobResult, of ended: EndedAttempt) throws {
    guard ended.plan == nil else { return }
    let place = try OutputPlace.tenant(of: ended.job.output)
    if result.reuse == .inPlace {
      let input = ended.job.inputName.shown
      try publisher.check(place, isOf: input, at: ended.job.output)
      ended.plan = .adopt(place)
    } else if let successor = try successor(of: ended.job, at: place) {
      ended.plan = .yield(to: successor, place)
    } else {
      try publisher.check(ended.staging, for: place, at: ended.job.output)
      try publisher.count(result.files, in: ended.staging)
      ended.plan = .install(place)
    }
  }

  /// The job whose output is in a job's place though it was asked for later, and has only been faster.
  ///
  /// What was asked for last is what people expect there. A retry asks anew.
  private func successor(of job: Job, at place: OutputPlace.Tenant) throws -> Job.ID? {
    guard let other = place.job, place.queue == Publisher.mark(ofQueue: store.path),
      other > job.id
    else { return nil }
    let retry = try store.events(of: job.id).last { $0.kind == .retried }
    guard let retry else { return other }
    guard let later = try store.job(other)?.createdAt else { return nil }
    return later > retry.at ? other : nil
  }

  private func completion(of ended: EndedAttempt, _ result: JobResult) throws -> Completion {
    var completion = Completion(
      result: String(decoding: try JSONEncoder().encode(result), as: UTF8.self),
      isPartial: result.partial, warnings: result.warnings.count, frames: result.frames,
      memoKey: ended.memoKey)
    switch ended.plan {
    case .yield(let successor, _):
      completion.memoKey = nil
      completion.note = "not published: job \(successor), submitted later, has its place"
    case .adopt:
      completion.reusedFrom = try ended.memoKey.flatMap {
        try store.completedJob(withOutput: ended.job.output, key: $0)
      }
      completion.note = "found whole in its place"
    case .install, nil:
      guard case .linked(let job) = result.reuse else { break }
      completion.reusedFrom = job
      completion.note = "the same as job \(job)'s"
    }
    return completion
  }

  /// Tidies up after an attempt that the queue knows to be over, and tells of it.
  private func conclude(_ ended: EndedAttempt, _ state: JobState?, _ words: String) {
    sweep(ended.job)
    let name = "job \(ended.job.id) \(ended.job.inputName.fileName)"
    let time = "\(ended.duration.seconds) s"
    guard let state else {
      return log("\(name): given up after \(time), another supervisor has it")
    }
    count(state)
    switch state {
    case .completed: log("\(name): completed in \(time)\(words) → \(ended.job.output)")
    case .cancelled: log("\(name): cancelled after \(time)")
    case .failed, .quarantined: log("\(name): \(state.name) after \(time): \(words)")
    default: log("\(name): \(words); \(sequel(of: ended.job.id, in: state))")
    }
  }

  /// What comes after an attempt that did not complete its job, for the log.
  private func sequel(of id: Job.ID, in state: JobState) -> String {
    // Only words: where the queue cannot be read now, the state has to do.
    guard let job = try? store.job(id) else { return state.name }
    let wait = job.scheduledAt.map { "in \(Int(max(0, $0.timeIntervalSinceNow).rounded(.up))) s" }
    return switch state {
    case .scheduled where job.failures > 0:
      "tries again \(wait ?? "soon") (attempt \(job.failures + 1) of \(job.maxAttempts))"
    case .scheduled: "tries again \(wait ?? "soon")"
    case .available where job.crashes > 0:
      "tries again (crash \(job.crashes) of \(store.crashLimit))"
    case .available: "back in the queue"
    default: state.name
    }
  }

  /// Counts a job that came to its end.
  func count(_ state: JobState) {
    switch state {
    case .completed: outcome.completed += 1
    case .failed, .quarantined: outcome.failed += 1
    default: break
    }
  }
}
