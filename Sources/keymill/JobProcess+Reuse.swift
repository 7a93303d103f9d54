import Digests
import FoundationEssentials
import Media
import Platform
import Worker

extension JobProcess {
  /// Reads a job's sources through, and tells the supervisor which bytes it is made of.
  static func identify(_ job: inout MediaJob) throws(MediaError) {
    let identity = try job.identify(report: tell)
    send(.identified(JobIdentity(sha256: identity.input.sha256.hex, engine: identity.engine)))
  }

  /// Takes a job's output from where it was made earlier, if it was: from its own place `output`, or
  /// from one that the supervisor names.
  ///
  /// - Returns: Whether it was, and nothing is left to do.
  static func isReused(_ job: MediaJob, at output: String) throws -> Bool {
    let answer = try readAnswer()
    if let result = try job.find(at: output, report: tell) {
      finish(JobResult(result), .inPlace)
      return true
    }
    for memo in answer.memos {
      guard let result = try job.reuse(memo.output, report: tell) else { continue }
      finish(JobResult(result), .linked(from: memo.job))
      return true
    }
    return false
  }

  private static func finish(_ result: JobResult, _ reuse: JobResult.Reuse) {
    var result = result
    result.reuse = reuse
    send(.made(result))
    sendUse()
  }

  /// Waits for the supervisor's answer; should it die, this process dies with it.
  private static func readAnswer() throws -> JobAnswer {
    let pipe = FileDescriptor(owning: JobAnswer.descriptor)
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n"), case .bytes(let bytes) = try pipe.read() {
      line += bytes
    }
    guard !line.isEmpty else { return JobAnswer(memos: []) }
    return try JSONDecoder().decode(JobAnswer.self, from: Data(line))
  }
}
