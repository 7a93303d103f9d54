import Commands
import FFmpeg
import Glibc
import Media
import Platform

/// The program: finds the command that was called and turns errors into messages and exit codes.
@main
struct Keymill: CommandGroup {
  static let name = "keymill"
  static let summary = "Turns media into app-ready assets"
  static let discussion = """
    A recipe is a JSON document that says what to make from an input: transparent frames, cached \
    audio, filtered stills. A job is one input and one recipe. Run jobs at once with `run`, or put \
    them into a queue with `submit` or `watch` and let `work` run them in a pool of processes.
    """
  static let examples = [
    Example("keymill run jobs/sprite.json clip.mp4", "key a clip to out/clip/frames/"),
    Example("keymill submit jobs/audio.json *.mp3", "queue a job for each track"),
    Example("keymill work --processes 2 --drain", "run what is queued, then stop"),
  ]
  static let sections = [
    CommandSection(
      "Make", [RunCommand.self, ProbeCommand.self, FiltersCommand.self, LooksCommand.self]),
    CommandSection(
      "Queue",
      [
        SubmitCommand.self, WorkCommand.self, WatchCommand.self, ListCommand.self,
        ShowCommand.self, StatsCommand.self, EventsCommand.self, CancelCommand.self,
        RetryCommand.self, PauseCommand.self, ResumeCommand.self, ScaleCommand.self,
        WorkersCommand.self, ScheduleGroup.self, PruneCommand.self, DoctorCommand.self,
      ]),
    CommandSection("Recipes", [RecipeGroup.self]),
    CommandSection("Cache", [CacheGroup.self]),
    CommandSection("Hidden", [RunJobCommand.self, ZygoteCommand.self, FetchCommand.self]),
  ]

  static func main() {
    StandardStreams.reserve()
    // Whoever reads our output may stop reading, and a file may be as long as it can be; that is no
    // reason to die in the middle of a job.
    Signal.brokenPipe.ignore()
    Signal.fileSizeLimit.ignore()
    let tree = CommandTree(
      Keymill.self, columns: Terminal.columns(STDOUT_FILENO) ?? 80, version: versionText)
    let code = tree.run(Array(CommandLine.arguments.dropFirst())) { error in
      let report = ErrorReport(error)
      Output.message("keymill: \(report.message)")
      return report.exitCode
    }
    leave(code)
  }

  /// Ends at once: the exit handlers of the libraries have nothing to do for us, and one that waits for
  /// a thread of its own can wait for ever.
  private static func leave(_ code: ExitCode) -> Never {
    // All streams; null is what says so.
    let isFlushed = fflush(nil) == 0
    if code == .success, Output.failure != nil || !isFlushed {
      let reason = Output.failure.map { "\($0.code)" } ?? "the write failed"
      Output.message("keymill: the results could not be printed: \(reason)")
      _exit(ExitCode.io.rawValue)
    }
    _exit(code.rawValue)
  }

  private static func versionText() -> String {
    let libraries = LibraryVersions.all.map { "\($0.name) \($0.version)" }
    return "keymill \(Engine.version) (FFmpeg \(LibraryVersions.ffmpeg))\n"
      + libraries.joined(separator: "\n")
  }
}
