import FoundationEssentials
import JobQueue
import Platform
import Recipes
import Worker

/// A job's whole story for a person: what it is, what happened to it, and each attempt with how its
/// process ended and what it said last.
struct JobAccount {
  private let job: Job
  private let attempts: [Attempt]
  private let events: [JobEvent]
  private let warnings: [String]
  private let score: JobResult.Score?
  private let limits: (crashes: Int, attempts: Int)

  /// So many of the last lines of an attempt's log are told; `--json` has them all.
  private static let logLines = 10

  /// The story of a job that was read from `store`.
  init(_ job: Job, _ attempts: [Attempt], _ events: [JobEvent], in store: JobStore) throws {
    self.job = job
    self.attempts = attempts
    self.events = events
    limits = (store.crashLimit, job.maxAttempts)
    // What the manifest warns of, as the job process reported it.
    let result = try JobResult(storedOf: job, in: store)
    warnings = result?.warnings ?? []
    score = result?.score
  }

  /// The story, line by line.
  var lines: [String] {
    ["job \(job.id): \(job.state.name)\(job.isPartial ? " in part" : "")\(standing)"]
      + facts.map { name, value in
        "  \(name)\(String(repeating: " ", count: 9 - name.count))\(value)"
      }
      + happenings
      + attempts.flatMap(lines(of:))
      + warnings.map { "  warning: \($0)" }
  }

  /// What the job waits for, or how far it is.
  private var standing: String {
    switch job.state {
    case .running: ", \(job.progress.stage ?? "starting") \(Int(job.progress.fraction * 100))%"
    case .scheduled: job.scheduledAt.map { ", until \($0.formatted(.iso8601))" } ?? ""
    default: job.reusedFrom.map { ", as job \($0)'s" } ?? ""
    }
  }

  private var facts: [(String, String)] {
    var facts = [
      ("input", job.inputName.shown), ("output", job.output),
      ("recipe", job.recipe.name + (job.isForced ? ", made anew in any case" : "")),
      ("queue", "\(job.queue), priority \(job.priority)"),
    ]
    if let batch = job.batch { facts.append(("batch", batch)) }
    if let timeout = job.timeout {
      facts.append(("timeout", "\(String(tenths: timeout / .seconds(1))) s"))
    }
    if job.failures > 0 { facts.append(("failures", "\(job.failures) of \(limits.attempts)")) }
    if job.crashes > 0 { facts.append(("crashes", "\(job.crashes) of \(limits.crashes)")) }
    if let frames = job.progress.frames { facts.append(("frames", "\(frames)")) }
    if let score { facts.append(("matte", score.words)) }
    if let error = job.error { facts.append(("error", error)) }
    return facts
  }

  /// What happened, in its order.
  private var happenings: [String] {
    events.map { event in
      let detail = event.detail.map { ": \($0)" } ?? ""
      let attempt = event.attempt > 0 ? " (attempt \(event.attempt))" : ""
      return "  \(event.at.formatted(.iso8601))  \(event.kind.name)\(attempt)\(detail)"
    }
  }

  private func lines(of attempt: Attempt) -> [String] {
    let report = attempt.report
    var parts = [attempt.outcome?.name ?? "running"]
    if let end = attempt.endedAt {
      parts[0] += " after \(String(tenths: end.timeIntervalSince(attempt.startedAt))) s"
    }
    if let code = report.exitCode, code != 0 { parts.append("exit code \(code)") }
    if let signal = report.signal { parts.append("\(Signal(rawValue: signal))") }
    if let rss = report.peakRSS { parts.append("peak \(ByteCount.text(Int(rss)))") }
    if let time = report.cpuTime { parts.append("\(String(tenths: time / .seconds(1))) s of CPU") }
    if let pid = report.pid { parts.append("process \(pid)") }
    if let pid = attempt.ownerPID { parts.append("pool \(pid)") }
    let log = (report.logTail ?? "").split(separator: "\n").suffix(Self.logLines)
    return ["  attempt \(attempt.number): " + parts.joined(separator: ", ")]
      + log.map { "    | \($0)" }
  }
}

extension JobResult {
  /// What a job has made, as its process reported it; nil where that is not stored.
  init?(storedOf job: Job, in store: JobStore) throws {
    guard let text = try store.result(of: job.id),
      let result = try? JSONDecoder().decode(JobResult.self, from: Data(text.utf8))
    else { return nil }
    self = result
  }
}

extension JobResult.Score {
  /// The score for a person.
  fileprivate var words: String {
    var words =
      "\(verdict), residue \(String(tenths: residue)) "
      + "(worst \(String(tenths: worstResidue)) in frame \(worstFrame))"
    let percent = Int((nearKey * 100).rounded())
    if percent > 0 { words += ", \(percent)% of the inside is near the key colour" }
    for screen in screens { words += ", screen \(screen.color)" }
    return words
  }
}
