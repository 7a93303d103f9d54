import AudioCache
import Digests
import Foundation
import Glibc
import Platform
import Testing

/// Processes that work on one cache and are killed at any moment.
@Suite(.timeLimit(.minutes(10))) struct CrashTests {
  private let fixture: CacheFixture

  init() throws { fixture = try CacheFixture() }

  @Test func `whenever processes are killed, 200 of them, verify finds nothing wrong`() async throws
  {
    let seed = Int.random(in: 0..<1_000_000)
    var random = SystemRandomNumberGenerator()
    for round in 0..<100 {
      let pair = try (0..<2).map { try Churn(in: fixture.files.directory, seed + 2 * round + $0) }
      for churn in pair { try churn.waitUntilBegun() }
      for churn in pair {
        // No wait for an event: it is to die at any moment.
        try await Task.sleep(for: .microseconds(.random(in: 0..<30_000, using: &random)))
        #expect(try churn.kill() == .signalled(.kill), "seed \(seed), round \(round)")
      }
      try expectClean("seed \(seed), round \(round)")
    }
    #expect(try TrackCache(root: fixture.root).statistics().entries > 0)
  }

  private func expectClean(_ when: Comment) throws {
    let cache = TrackCache(root: fixture.root, limits: .none)
    let result = try cache.verify()
    #expect(result.files.faults == [], when)
    #expect(!result.isIndexNew, when)
    let again = try cache.verify()
    #expect(again.adopted == 0 && again.forgotten == 0 && again.swept == 0, when)
    #expect(try cache.statistics().entries == fixture.files.store.tracks().count, when)
    #expect(try cache.statistics().leased == 0, when)
    for directory in ["incoming", "leases"] {
      #expect(((try? Files.list("\(fixture.root)/\(directory)")) ?? []) == [], when)
    }
    // What is half received is there to be gone on with, and known.
    let partials = (try? Files.list(fixture.root + "/partial")) ?? []
    let downloads = try (0..<40).compactMap {
      try cache.download(of: .url("https://example.org/\($0)"))
    }
    let known = Set(downloads.map { Files.name(of: $0.partialPath) })
    #expect(Set(partials).isSubset(of: known), when)
  }
}

/// A process of `Tests/CacheChurn`.
private struct Churn {
  private let process: ChildProcess
  private let output: FileHandle

  init(in directory: String, _ seed: Int) throws {
    let pipe = try Platform.Pipe()
    process = try ChildProcess(
      ChildProcess.Launch(
        Self.executable, [directory, "\(seed)"],
        descriptors: [STDOUT_FILENO: pipe.writer.rawValue, STDERR_FILENO: STDERR_FILENO]))
    output = FileHandle(
      fileDescriptor: try pipe.reader.duplicate().release(), closeOnDealloc: true)
  }

  /// Waits for its first byte.
  func waitUntilBegun() throws { _ = try output.read(upToCount: 1) }

  /// Kills it and says how it ended.
  func kill() throws -> Platform.ExitStatus {
    process.send(.kill)
    return try process.wait().status
  }

  /// The binary lies beside the test bundle that runs now.
  private static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "cache-churn").path(percentEncoded: false)
}
