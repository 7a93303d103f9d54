internal import FoundationEssentials
internal import JobQueue
internal import Platform

/// Puts files into the queue, each version of a file once.
///
/// The queue itself remembers: the request's name is made of recipe, path and version, so that
/// neither a second watcher nor a restart nor a lost answer makes a second job.
struct Submitter {
  enum Outcome {
    case done(Submission)
    /// There will be no job of it as things are.
    case refused(String)
    /// The queue cannot take it now.
    case queueWaits(String)
  }

  let store: JobStore
  let doorbell: Doorbell
  let makeJob: (String) throws -> NewJob
  let now: () -> Date

  /// Submits a version of the file at `path`.
  /// - Throws: when the queue is out of order, which waiting does not mend.
  func submit(_ path: String, _ version: FileVersion) throws -> Outcome {
    var job: NewJob
    do {
      job = try makeJob(path)
    } catch let error as QueueError {
      return try Self.outcome(of: error)
    } catch {
      return .refused("\(error)")
    }
    // The request names the version. A unique job would be stood for by one of an older version.
    job.isUnique = false
    let request = version.requestID(path: path, recipeDigest: job.recipe.digest)
    do {
      let submissions = try store.submit([job], requestID: request, now: now())
      // Supervisors look at the queue every second, so a bell that is stuck costs no more than that.
      try? doorbell.ring()
      return submissions.first.map(Outcome.done) ?? .refused("the queue gave no answer")
    } catch let error as QueueError {
      return try Self.outcome(of: error)
    }
  }

  private static func outcome(of error: QueueError) throws -> Outcome {
    switch error.code {
    case .busy, .full: return .queueWaits(error.description)
    default: throw error
    }
  }
}
