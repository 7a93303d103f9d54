import Commands
import Testing

enum Matte: String, CaseIterable, ExpressibleByArgument {
  case png, mask, webm
}

struct QueueOptions: ParsableArguments {
  @Option(help: "The queue's file.", valueName: "file") var db: String?
  @Flag(help: "Print JSON.") var json: Bool

  mutating func validate() throws {
    if db == "" { throw UsageError("--db is empty") }
  }
}

struct Submit: Command {
  static let name = "submit"
  static let summary = "put jobs into the queue"
  static let discussion = """
    Each input becomes one job. The jobs are in the queue for good when the command returns: a loss \
    of power does not take them away.

      done   100
      other  75
    """
  static let examples = [
    Example("mill submit jobs/sprite.json clip.mp4", "One clip."),
    Example("mill submit --in 10m jobs/audio.json *.mp3", "All songs, in ten minutes."),
  ]

  @Argument(help: "What to make.") var recipe: String
  @Argument(help: "What to make it from.", valueName: "input") var inputs: [String]
  @Option(name: .shortAndLong, help: "Where outputs go.", valueName: "dir") var output = "out"
  @Option(help: "Higher goes first.", valueName: "n") var priority: Int = 0
  @Option(name: [.customLong("in"), .customShort("i")], help: "Wait this long.", valueName: "time")
  var delay: Duration = .zero
  @Option(help: "Wait for these jobs.", valueName: "id") var after: [Int64] = []
  @Option(help: "Which matte.", valueName: "kind") var matte: Matte = .png
  @Option(name: .customLong("size"), help: "A size.", valueName: "WxH", transform: pixels)
  var pixelCount: Int?
  @Option(help: "Not for people.", hidden: true) var fence: Int?
  @Flag(name: .shortAndLong, help: "Follow the jobs to the end.") var wait: Bool
  @Flag(name: .shortAndLong, help: "Say nothing.") var quiet = false
  @OptionGroup var queue: QueueOptions

  mutating func validate() throws {
    if quiet, queue.json { throw UsageError("--quiet and --json exclude each other") }
  }

  mutating func run() throws {
    if recipe == "exit" { throw ExitCode.failure }
    if recipe == "usage" { throw UsageError("found late") }
    if recipe == "throw" { throw SampleError() }
  }
}

struct SampleError: Error, CustomStringConvertible {
  var description: String { "no such thing" }
}

private func pixels(_ text: String) throws -> Int {
  let sides = text.split(separator: "x").compactMap { Int($0) }
  guard sides.count == 2 else { throw SampleError() }
  return sides[0] * sides[1]
}

struct Work: Command {
  static let name = "work"
  static let summary = "run the pool"
  @Option(help: "How many.", valueName: "n") var processes: Int
  @Argument(help: "A place.") var place: String?
  @Argument(help: "A level.") var level: Int = 3
  mutating func run() throws {}
}

struct RunJob: Command {
  static let name = "run-job"
  static let summary = "be a job process"
  static let isHidden = true
  mutating func run() throws {}
}

struct CacheList: Command {
  static let name = "list"
  static let summary = "show the tracks"
  @Argument(help: "Only these.") var keys: [String] = []
  mutating func run() throws {}
}

struct Cache: CommandGroup {
  static let name = "cache"
  static let summary = "look after cached audio"
  static let sections = [CommandSection([CacheList.self])]
}

struct Mill: CommandGroup {
  static let name = "mill"
  static let summary = "turns media into assets"
  static let examples = [Example("mill submit r.json clip.mp4", "One clip.")]
  static let sections = [
    CommandSection("Queue", [Submit.self, Work.self, RunJob.self]),
    CommandSection("Cache", [Cache.self]),
  ]
}

let mill = CommandTree(Mill.self) { "mill 1.0" }

/// Parses a command line that calls a command of this type.
func parse<C: Command>(_ words: String..., as type: C.Type = C.self) throws -> C {
  guard case .command(let command) = try mill.parse(words) else {
    throw UsageError("not a command: \(words)")
  }
  return try #require(command as? C)
}

/// What is wrong with a command line.
func complaint(_ words: String...) -> UsageError? {
  do {
    _ = try mill.parse(words)
    return nil
  } catch {
    return error as? UsageError
  }
}
