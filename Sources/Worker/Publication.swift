import JobQueue
import Platform

/// What is to be done with an attempt's output, as its place was when it was looked at.
enum PublicationPlan {
  /// The staged output goes there.
  case install(OutputPlace.Tenant)
  /// What lies there is it.
  case adopt(OutputPlace.Tenant)
  /// What lies there was asked for later, by this job, and stays.
  case yield(to: Job.ID, OutputPlace.Tenant)

  /// What was there.
  var place: OutputPlace.Tenant {
    switch self {
    case .install(let place), .adopt(let place), .yield(_, let place): place
    }
  }
}

/// What was done with an attempt's output.
enum Publication {
  /// It was put in its place.
  case installed(Files.Installation)
  /// It lay there.
  case adopted
  /// Another job's output, asked for later, was left in its place.
  case yielded(to: Job.ID)

  /// What the log says about it, after the time it took.
  func words(for result: JobResult) -> String {
    let part = result.partial ? ", in part" : ""
    return switch (self, result.reuse) {
    case (.yielded(let job), _): "\(part), but job \(job), submitted later, keeps its place"
    case (.adopted, _): "\(part), found whole in its place"
    case (.installed, .linked(let job)): "\(part), the same as job \(job)'s"
    case (.installed, _): part
    }
  }
}

/// The place of an output is not any more as it was when it was looked at.
struct PlaceChanged: Error {}
