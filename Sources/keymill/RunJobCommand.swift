import Commands
import FoundationEssentials
import Glibc
import Media
import Platform
import Recipes
import Worker

/// `keymill run-job`: the job process that a supervisor starts.
///
/// Reads a request from standard input,
/// reports on standard output, and never sees the queue.
struct RunJobCommand: Command {
  static let name = "run-job"
  static let summary = "Carry out one job for a supervisor"
  static let isHidden = true

  func run() throws {
    let input = FileDescriptor(owning: STDIN_FILENO)
    let request = try JSONDecoder().decode(JobRequest.self, from: Data(try input.readToEnd()))
    try dieWithParent(request.supervisor)
    do {
      let job = MediaJob(
        input: request.input,
        recipe: try Recipe(json: request.recipe, name: request.recipeName),
        recipeName: request.recipeName, staging: request.staging, stem: request.stem,
        threads: request.threads)
      let result = try job.run { progress in
        send(.progress(JobProgress(progress)))
        return true
      }
      send(.made(JobResult(result)))
    } catch {
      let failure = JobFailure(error)
      Output.message(failure.message)
      send(.failed(failure))
      throw ExitCode(rawValue: failure.exitCode)
    }
  }

  private func send(_ report: JobReport) { try? Output.jsonLine(report) }
}

extension JobProgress {
  /// A job's own report for its supervisor.
  fileprivate init(_ progress: Media.Progress) {
    self.init(
      stage: progress.stage, fraction: progress.fraction, frames: progress.frames,
      fps: progress.framesPerSecond, eta: progress.secondsLeft)
  }
}
