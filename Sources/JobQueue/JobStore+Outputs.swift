public import FoundationEssentials
internal import SQLite

/// Chooses the output directories of jobs, in their order; `claimed` are those that other jobs will
/// publish to, each with the input that it is made of.
public typealias OutputPlanner = (_ claimed: [String: String]) throws -> [String]

extension JobStore {
  /// Adds jobs as ``submit(_:requestID:now:)`` does, with output directories right under `directory`
  /// that `plan` chooses: however many submit at once, no two inputs get the same one.
  ///
  /// `plan` is called before the write lock is taken, and under it once more where somebody else has
  /// submitted a job to one of its places meanwhile. What it throws is passed on, and nothing is added.
  public func submit(
    _ jobs: [NewJob], under directory: String, requestID: String? = nil, now: Date,
    plan: OutputPlanner
  ) throws -> [Submission] {
    let (claimed, last) = try readTogether {
      (try readLiveOutputs(under: directory), try lastJob())
    }
    var jobs = jobs.placed(in: try plan(claimed))
    return try submit(requestID: requestID, now: now) {
      let newer = try outputs(after: last)
      if jobs.contains(where: { newer[$0.output] ?? $0.input != $0.input }) {
        jobs = jobs.placed(in: try plan(claimed.merging(newer) { first, _ in first }))
      }
      return jobs
    }
  }

  /// The output directories right under `directory` that jobs which have not ended will publish, each
  /// with the input that it is made of.
  public func liveOutputs(under directory: String) throws -> [String: String] {
    try read { try readLiveOutputs(under: directory) }
  }

  private func readLiveOutputs(under directory: String) throws -> [String: String] {
    let prefix = directory.hasSuffix("/") ? directory : directory + "/"
    let pairs: [(output: String, input: String)] = try connection.query(
      """
      SELECT output, input FROM job
      WHERE state IN (0, 1, 2, 3) AND substr(output, 1, length(?)) = ?
      """, prefix, prefix
    ) { row in (row[0], row[1]) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  private func lastJob() throws -> Job.ID { try connection.integer("SELECT max(id) FROM job") }

  /// The outputs of jobs that came after one.
  private func outputs(after last: Job.ID) throws -> [String: String] {
    let pairs: [(output: String, input: String)] = try connection.query(
      "SELECT output, input FROM job WHERE id > ? ORDER BY id", last
    ) { row in (row[0], row[1]) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension [NewJob] {
  fileprivate func placed(in outputs: [String]) -> [NewJob] {
    precondition(outputs.count == count, "an output for each job")
    return zip(self, outputs).map { job, output in
      var job = job
      job.output = output
      return job
    }
  }
}
