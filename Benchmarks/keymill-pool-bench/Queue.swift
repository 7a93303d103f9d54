import FoundationEssentials
import Glibc
import JobQueue
import Platform

/// A fresh queue with its inputs and outputs.
struct Queue {
  private let directory: String
  private let store: JobStore

  /// The queue's file.
  let path: String

  /// Makes a queue in a directory of its own.
  init(in parent: String) throws {
    directory = "\(parent)/\(UUID().uuidString)"
    try Files.makeDirectory(directory)
    path = directory + "/queue.db"
    store = try JobStore(path: path, role: .client)
  }

  /// Makes an input.
  func input(_ name: String, _ work: PoolBench.Work) throws -> String {
    let path = "\(directory)/\(name).png"
    let file = try FileDescriptor.open(path, .create)
    if work == .still { try file.writeAll(Array(Data(base64Encoded: Self.picture) ?? Data())) }
    return path
  }

  /// A PNG of two by two pixels.
  private static let picture = """
    iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IVcBRAwQCgAnlgV5EwFZ4QAAAABJRU5ErkJg\
    gg==
    """

  /// Commits a job that makes a still of an input.
  func submit(_ input: String) throws {
    let recipe = JobRecipe(
      name: "still", digest: "bench", canonicalJSON: #"{"stills":{"formats":["jpeg"]}}"#)
    var job = NewJob(input: input, output: "\(input).out", recipe: recipe)
    // The inputs are all alike, and each is to be worked on.
    job.isForced = true
    _ = try store.submit([job], now: Date())
  }

  /// Wakes the pool.
  func ring() { try? Doorbell(besideQueue: path).ring() }
}

/// Waits until somebody reads a file.
struct ReadWatch: ~Copyable {
  private let events: FileDescriptor

  /// Watches a file from now on.
  init(_ path: String) throws {
    events = FileDescriptor(owning: inotify_init1(Int32(IN_CLOEXEC)))
    // The call reads the path and keeps no pointer to it.
    guard unsafe inotify_add_watch(events.rawValue, path, UInt32(IN_ACCESS)) >= 0 else {
      throw BenchError("\(path) cannot be watched: errno \(errno)")
    }
  }

  /// Blocks until it was read.
  func wait() throws { _ = try events.read() }
}
