import FoundationEssentials
import JobQueue
import Platform

extension Supervisor {
  /// Brings ended attempts into the queue, and their outputs into place.
  func settle() {
    while let ended = endings.first {
      do {
        try settle(ended)
        endings.removeFirst()
      } catch {
        return put(off: error)
      }
    }
  }

  private func settle(_ ended: EndedAttempt) throws {
    switch ended.outcome {
    case .made(let result): try publish(result, of: ended)
    case .over(let ending): try finish(ended, as: ending)
    }
  }

  private func finish(_ ended: EndedAttempt, as ending: Ending) throws {
    let state = try store.finish(ended.lease, as: ending, report: ended.report, now: Date())
    conclude(ended, state, ending.words)
  }

  private func publish(_ result: JobResult, of ended: EndedAttempt) throws {
    let installation: Files.Installation?
    do {
      try prepare(result, of: ended)
      let completion = Completion(
        result: String(decoding: try JSONEncoder().encode(result), as: UTF8.self),
        isPartial: result.partial, warnings: result.warnings.count)
      installation = try store.publish(
        ended.lease, completion, report: ended.report, now: Date()
      ) { try ended.install() }
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
    guard let installation else { return conclude(ended, nil, "") }
    do throws(PlatformError) {
      try publisher.settle(
        ended.job.output, replaced: installation == .exchanged ? ended.staging : nil)
    } catch {
      // The output is there and whole; what is left beside it harms nobody.
      log("job \(ended.job.id): \(error)")
    }
    conclude(ended, .completed, result.partial ? " in part" : "")
  }

  /// Does, once, what need not be done under the queue's lock.
  private func prepare(_ result: JobResult, of ended: EndedAttempt) throws {
    guard !ended.isPrepared else { return }
    try publisher.check(ended.staging, for: ended.job.output)
    try publisher.count(result.files, in: ended.staging)
    if let trouble = publisher.keepTracks(of: result, in: ended.staging) { log(trouble) }
    ended.isPrepared = true
  }

  /// Tidies up after an attempt that the queue knows to be over, and tells of it.
  private func conclude(_ ended: EndedAttempt, _ state: JobState?, _ words: String) {
    sweep(ended.job)
    let name = "job \(ended.job.id) \(Files.name(of: ended.job.input))"
    let time = "\(ended.duration.seconds) s"
    guard let state else {
      return log("\(name): given up after \(time), another supervisor has it")
    }
    count(state)
    if state == .completed {
      log("\(name): completed\(words) in \(time) → \(ended.job.output)")
    } else {
      log("\(name): \(state.name) after \(time): \(words)")
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
