import FoundationEssentials
import Glibc
import Media
import Platform
import Worker

extension JobProcess {
  /// Carries out two tiny jobs in this process, so that its forks find done what is done once: types
  /// looked up, symbols bound, codecs registered, tables filled.
  ///
  /// A fork of a cold zygote spends twice as long on that as on a small still. What goes wrong here
  /// goes wrong in the job that it matters to, and is told there.
  static func warmUp() {
    try? carryOut(picture, #"{"stills":{"formats":["jpeg","png"]}}"#)
    try? carryOut(sound, #"{"audio":{"formats":["copy"]}}"#)
  }

  /// A PNG of two by two pixels.
  private static let picture = """
    iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IVcBRAwQCgAnlgV5EwFZ4QAAAABJRU5ErkJg\
    gg==
    """

  /// A WAVE file of 16 samples.
  private static let sound = """
    UklGRkQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YSAAAAAAAOUDygffA8QH2QO+B9MDuAfNA7IHxwOsB8ED\
    pge7Aw==
    """

  private static func carryOut(_ base64: String, _ recipe: String) throws {
    let bytes = Data(base64Encoded: base64) ?? Data()
    let input = try FileDescriptor.holding(Array(bytes))
    // A file system in memory: whatever the disk has to write does not hold us up.
    let staging = "/dev/shm/keymill-\(getpid())"
    defer { try? Files.removeTree(staging) }
    let request = JobRequest(
      job: 0, attempt: 1, input: "/proc/self/fd/\(input.rawValue)", recipe: recipe,
      recipeName: "warm-up", staging: staging, stem: "warm-up", threads: 1, supervisor: getppid())
    let document = try JSONEncoder().encode(request)
    // Standard output, where the reports go, leads nowhere in a zygote.
    let decoded = try JSONDecoder().decode(JobRequest.self, from: document)
    _ = run(try job(decoded), decoded)
  }
}
