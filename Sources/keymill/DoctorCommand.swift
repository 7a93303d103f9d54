import Commands
import FFmpeg
import FoundationEssentials
import JobQueue
import Media
import Platform
import Worker

/// `keymill doctor`: what this machine has and lacks, and whether the queue is sound.
struct DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "Check this machine and the queue"
  static let discussion = """
    Looks at the codecs, the places keymill writes to, and, where there is a queue, at its whole file. \
    --repair mends what can be mended: stuck leases, wrong indexes and counters, a swollen log.
    """
  static let examples = [
    Example("keymill doctor", "is all well?"),
    Example("keymill doctor --db queue.db --repair", "mend a queue"),
  ]

  @Flag(help: "Mend what can be mended in the queue.")
  var repair: Bool
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    Output.result("keymill \(Engine.version), FFmpeg \(LibraryVersions.ffmpeg)")
    Output.result("\(CoreCount.available) cores")
    let support = SandboxSupport.current
    Output.result(
      support.lack ?? "jobs are confined by Landlock \(support.landlockVersion) and seccomp")
    var troubles = checkCodecs()
    troubles += try checkQueue()
    guard troubles == 0 else {
      Output.message("keymill: \(troubles) \(troubles == 1 ? "trouble" : "troubles") found")
      throw ExitCode.failure
    }
    Output.result("all is well")
  }

  private func checkCodecs() -> Int {
    let missing = ["h264", "hevc", "vp9", "aac", "mp3", "png", "mjpeg"].filter {
      !Decoder.exists($0)
    }
    guard !missing.isEmpty else { return 0 }
    Output.result("missing decoders: \(missing.joined(separator: ", "))")
    return 1
  }

  private func checkQueue() throws -> Int {
    let path = try Files.absolutePath(queueOptions.path)
    guard (try? FileStatus(path)) != nil else {
      Output.result("queue \(path): none yet")
      return 0
    }
    let store = try queueOptions.open(repair ? .client : .reader)
    let bootNow = BootClock.nowMS
    var findings = try store.examine(bootNow: bootNow, isAlive: \.isAlive)
    if repair && !findings.isEmpty {
      for finding in findings { Output.result("queue \(path): \(finding)") }
      findings = try store.repair(bootNow: bootNow, now: Date(), isAlive: \.isAlive)
      Output.result("queue \(path): repaired, \(findings.count) left")
      queueOptions.ring(store)
    }
    for finding in findings {
      let cure = finding.kind.isRepairable && !repair ? " (--repair mends it)" : ""
      Output.result("queue \(path): \(finding)\(cure)")
    }
    if findings.isEmpty { Output.result("queue \(path): sound") }
    return findings.count
  }
}
