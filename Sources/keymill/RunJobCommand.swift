import Commands
import Platform
import Worker

/// `keymill run-job`: a job process that a supervisor starts anew, where there is no zygote.
struct RunJobCommand: Command {
  static let name = "run-job"
  static let summary = "Carry out one job for a supervisor"
  static let isHidden = true

  func run() throws {
    Host.giveBackLoadedPages()
    let code = JobProcess.prepare()()
    guard code == 0 else { throw ExitCode(rawValue: code) }
  }
}
