import Digests
import Foundation
import JobQueue
import Platform
import TestSupport
import Testing

@testable import keymill_soak

/// Whether a soak would notice.
@Suite struct VerdictTests {
  private let output: MadeOutput

  init() throws { output = try MadeOutput() }

  @Test func `a whole output is the one expected`() throws {
    let digest = try output.make("one")
    #expect(StormVerdict.fault(of: output.path, digest) == nil)
  }

  @Test func `an output with other bytes is noticed, whatever its manifest says`() throws {
    let digest = try output.make("one")
    _ = try output.make("two")
    #expect(StormVerdict.fault(of: output.path, digest)?.contains("another than expected") == true)
  }

  @Test func `a file that is not what the manifest says is noticed`() throws {
    let digest = try output.make("one")
    try output.write("half", to: "track.mp3")
    #expect(StormVerdict.fault(of: output.path, digest)?.contains("other bytes than its") == true)
  }

  @Test func `a file too many or too few is noticed`() throws {
    let digest = try output.make("one")
    try output.write("more", to: "stray.png")
    #expect(StormVerdict.fault(of: output.path, digest) != nil)
    try Files.removeFile("\(output.path)/stray.png")
    try Files.removeFile("\(output.path)/track.mp3")
    #expect(StormVerdict.fault(of: output.path, digest) != nil)
  }

  @Test func `an update that was lost is noticed`() throws {
    let store = try JobStore(path: "\(output.directory)/queue.db", role: .client)
    let recipe = JobRecipe(name: "r", digest: "d", canonicalJSON: "{}")
    let ids = try (1...3).map { number in
      let job = NewJob(input: "/\(number)", output: "/out/\(number)", recipe: recipe)
      return try store.submit([job], now: Date())[0].job.id
    }
    _ = try store.cancel(ids[0], now: Date())
    var record = CrowdRecord()
    record.add(
      "submitted \(ids[0])\nsubmitted \(ids[1])\ncancelled \(ids[0])\ncancelled \(ids[1])\n")
    #expect(
      record.contradictions(with: try store.everyJob()) == [
        "2 jobs were accepted, 3 are there", "job 2 is available", "job 3 is available",
      ])
    record.add("the queue is locked\n")
    #expect(record.errors == ["the queue is locked"])
  }

  @Test(arguments: [
    ("keymill-zygote\n", PoolChild.Role.zygote), ("keymill-17\n", .job(17)), ("ffmpeg\n", nil),
    ("keymill-x", nil),
  ])
  func `what a child does is told by its name`(name: String, role: PoolChild.Role?) {
    #expect(PoolChild.Role(named: name) == role)
  }
}

/// An output of one file, in a directory that goes with it.
private final class MadeOutput {
  let directory: String
  var path: String { "\(directory)/clip" }

  init() throws {
    directory =
      "\(FileManager.default.temporaryDirectory.path)/keymill-soak-\(UUID().uuidString)"
    try Files.makeDirectory(path)
  }

  deinit { try? Files.removeTree(directory) }

  /// Makes the output anew with this in its file.
  func make(_ content: String) throws -> OutputDigest {
    try write(content, to: "track.mp3")
    let digest = SHA256Digest(of: Array(content.utf8)).hex
    try write(
      #"{"files": [{"path": "track.mp3", "sha256": "\#(digest)"}]}"#, to: "manifest.json")
    return try OutputDigest(of: path)
  }

  func write(_ content: String, to name: String) throws {
    try FileDescriptor.open("\(path)/\(name)", .write).writeAll(content)
  }
}
