import FoundationEssentials
import Glibc
import Imaging
import Media
import Platform
import Recipes
import Worker

/// A job process, from its request to its exit code: what `run-job` and the forks of a zygote do.
///
/// Reads the request from standard input, reports on standard output, and never sees the queue.
enum JobProcess {
  /// Reads the request and confines the process to it, before anything in the input is looked at.
  ///
  /// To be called while there is one thread.
  /// Where its output was made earlier, it is taken from there at once.
  /// - Returns: What carries the job out, and gives the exit code.
  static func prepare() -> @Sendable () -> Int32 {
    do {
      let input = FileDescriptor(owning: STDIN_FILENO)
      let request = try JSONDecoder().decode(JobRequest.self, from: Data(try input.readToEnd()))
      return prepare(request)
    } catch {
      let failure = JobFailure(error)
      return { report(failure) }
    }
  }

  private static func prepare(_ request: JobRequest) -> @Sendable () -> Int32 {
    do {
      guard let job = try confinedJob(request) else { return { EXIT_SUCCESS } }
      return { run(job, request) }
    } catch {
      let failure = JobFailure(error, request)
      return { report(failure) }
    }
  }

  private static func confinedJob(_ request: JobRequest) throws -> MediaJob? {
    try dieWithParent(request.supervisor)
    nameProcess("keymill-\(request.job)")
    var job = try job(request)
    // Here digests are computed and names are linked; nothing that the input says is looked at before
    // the process is confined.
    if !request.queue.isEmpty { try identify(&job) }
    if let output = request.adoptable, try isReused(job, at: output) { return nil }
    try job.makeStaging()
    let sandbox = Sandbox(
      readable: [request.input] + job.recipe.paths, writable: [request.staging],
      maxMemory: request.maxMemory,
      maxFileSize: request.maxFileSize)
    try sandbox.enter()
    return job
  }

  /// The job that a request asks for.
  static func job(_ request: JobRequest) throws -> MediaJob {
    var job = MediaJob(
      input: request.input, recipe: try Recipe(json: request.recipe, name: request.recipeName),
      recipeName: request.recipeName, staging: request.staging, stem: request.stem,
      threads: request.threads)
    job.source = request.source
    job.origin = request.queue.isEmpty ? nil : JobOrigin(job: request.job, queue: request.queue)
    return job
  }

  /// Carries a job out and reports; gives the exit code.
  static func run(_ job: MediaJob, _ request: JobRequest) -> Int32 {
    do {
      let result = try job.run(report: tell)
      send(.made(JobResult(result)))
      sendUse()
      return EXIT_SUCCESS
    } catch {
      return report(JobFailure(error, request))
    }
  }

  private static func report(_ failure: JobFailure) -> Int32 {
    Output.message(failure.message)
    send(.failed(failure))
    sendUse()
    return failure.exitCode
  }

  static func tell(_ progress: Media.Progress) -> Bool {
    send(.progress(JobProgress(progress)))
    return true
  }

  static func sendUse() {
    send(.used(JobUse(peakMemory: Int64(ResourceUsage.current.peakMemoryKiB) * 1024)))
  }

  static func send(_ report: JobReport) { try? Output.jsonLine(report) }
}

extension JobProgress {
  /// A job's own report for its supervisor.
  fileprivate init(_ progress: Media.Progress) {
    self.init(
      stage: progress.stage, fraction: progress.fraction, frames: progress.frames,
      fps: progress.framesPerSecond, eta: progress.secondsLeft)
  }
}
