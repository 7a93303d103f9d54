internal import FoundationEssentials
internal import SQLite

// Requests that were answered: what makes a submit that is repeated add nothing.

extension JobStore {
  /// What a request was answered the first time it was made, as it stands now; nil for a new one.
  ///
  /// Of jobs that were pruned since, the number and the last state are left; the rest is what `jobs`
  /// ask for again.
  func submissions(of request: RequestName, asked jobs: [NewJob]) throws -> [Submission]? {
    let earlier = try connection.query(
      "SELECT position, job_id, asked_at, ended FROM request WHERE name = ? ORDER BY position",
      request.key
    ) { row in (position: row[0] as Int, job: row[1] as Job.ID, row.date(2), row[3] as Int?) }
    guard !earlier.isEmpty else { return nil }
    return try earlier.compactMap { position, id, askedAt, ended in
      if let job = try findJob(id) { return Submission(job: job, isNew: false) }
      guard jobs.indices.contains(position), let askedAt else { return nil }
      let state = ended.flatMap(JobState.init(rawValue:)) ?? .completed
      let job = Job(id, jobs[position], state, askedAt)
      return Submission(job: job, isNew: false, isPruned: true)
    }
  }

  func remember(_ submissions: [Submission], as request: RequestName, now: Date) throws {
    for (position, submission) in submissions.enumerated() {
      try connection.run(
        "INSERT INTO request (name, position, job_id, asked_at) VALUES (?, ?, ?, ?)",
        request.key, position, submission.job.id, now.milliseconds)
    }
  }
}
