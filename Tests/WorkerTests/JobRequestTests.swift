import FoundationEssentials
import Testing

@testable import Worker

@Suite struct JobRequestTests {
  @Test func `a request goes through JSON as it is`() throws {
    let request = JobRequest(
      job: 17, attempt: 3, input: "/in/-x %03d \"ü\"\n.mp4", recipe: #"{"key":{}}"#,
      recipeName: "sprite", staging: "/out/.keymill-17-3", stem: "-x", threads: 2, supervisor: 99)
    let copy = try JSONDecoder().decode(JobRequest.self, from: JSONEncoder().encode(request))
    #expect(copy.job == 17 && copy.attempt == 3 && copy.threads == 2 && copy.supervisor == 99)
    #expect(copy.input == request.input && copy.recipe == request.recipe)
    #expect(copy.recipeName == "sprite" && copy.staging == request.staging && copy.stem == "-x")
  }

  @Test func `a report goes through one line of JSON as it is`() throws {
    let reports: [JobReport] = [
      .progress(JobProgress(stage: "keying", fraction: nil, frames: 5, fps: 24.5, eta: 3)),
      .made(
        JobResult(
          partial: true, warnings: ["two\nlines"], files: 3, bytes: 99,
          tracks: [JobResult.Track(path: "audio/a.mp3", sha256: "ab")])),
      .failed(JobFailure(kind: .noSpace, message: "no room", exitCode: 74)),
      .used(JobUse(peakMemory: 1 << 40)),
    ]
    for report in reports {
      let line = try JSONEncoder().encode(report)
      #expect(!line.contains(UInt8(ascii: "\n")))
      let copy = try JSONDecoder().decode(JobReport.self, from: line)
      switch (report, copy) {
      case (.progress(let a), .progress(let b)): #expect(a == b)
      case (.made(let a), .made(let b)): #expect(a == b)
      case (.failed(let a), .failed(let b)): #expect(a == b)
      case (.used(let a), .used(let b)): #expect(a == b)
      default: Issue.record("\(copy) instead of \(report)")
      }
    }
  }
}
