import Platform
import TestSupport
import Testing

@testable import Worker

@Suite(.temporaryDirectory) struct RunStagingTests {
  @Test func `what a dead run left is swept, and what a living one makes is not`() throws {
    let own = try RunStaging.path(for: path("out/clip"))
    try write("half", to: "out/\(Files.name(of: own))/made")
    let process = try ProcessIdentity.current
    let dead = "\(process.bootID)_\(process.namespace)_\(process.pid)_1_x"
    try write("half", to: "out/.keymill-run-\(dead)/made")
    try write("mine", to: "out/.keymill-run-notes/photo.jpg")
    RunStaging.sweep(beside: path("out/clip"))
    #expect(
      Set(try names(in: "out")) == [Files.name(of: own), ".keymill-run-notes"])
  }
}
