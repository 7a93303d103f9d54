import Commands
import FoundationEssentials
import JobQueue
import Platform
import Recipes
import Worker

/// `keymill schedule`: jobs that come again and again.
struct ScheduleGroup: CommandGroup {
  static let name = "schedule"
  static let summary = "Submit a job again and again"
  static let discussion = """
    Times are UTC. However many pools run, each time gives one job; times that passed while no pool \
    ran give one together.
    """
  static let sections = [
    CommandSection(
      "Commands",
      [ScheduleAddCommand.self, ScheduleListCommand.self, ScheduleRemoveCommand.self])
  ]
}

/// `keymill schedule add`: adds a recurring job.
struct ScheduleAddCommand: Command {
  static let name = "add"
  static let summary = "Add a recurring job"
  static let examples = [
    Example(#"keymill schedule add "0 3 * * *" r.json feed.mp4"#, "every night at three"),
    Example(#"keymill schedule add "*/15 * * * mon-fri" r.json a.mp4 --name cam"#, "with a name"),
  ]

  @Argument(help: "When: minute, hour, day, month, day of the week, as in cron.")
  var cron: String
  @Argument(help: "The recipe, a JSON file.")
  var recipe: String
  @Argument(help: "The media file or URL; it need not be there yet.")
  var input: String
  @Option(
    help: "What to call it; the recipe's and the input's names by default.", valueName: "name")
  var name: String?
  @Option(name: .shortAndLong, help: "Where output directories go.", valueName: "dir")
  var output = "out"
  @Option(help: "The named queue to wait in.", valueName: "name")
  var queue = "default"
  @Option(help: "Higher goes first.", valueName: "n")
  var priority = 0
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let expression: CronExpression
    do { expression = try CronExpression(cron) } catch { throw UsageError("\(error)") }
    let recipe = try LoadedRecipe(recipe)
    let path = try Inputs.checkLater(input)
    let directory = try Files.absolutePath(output)
    let store = try queueOptions.open(.client)
    var place = try OutputPlace(directory, claimed: store.liveOutputs(under: directory))
    var job = JobFactory(recipe).job(input: path, output: try place.path(for: path))
    job.queue = queue
    job.priority = priority
    // The input's bytes change; what was made of the old ones must not stand for the new.
    let schedule = try store.addSchedule(
      NewSchedule(
        name: name ?? "\(recipe.name)-\(OutputPlace.stem(of: input))", cron: expression, job: job),
      now: Date())
    queueOptions.ring(store)
    Output.result(schedule.name)
    if let next = schedule.nextAt { Output.message("next at \(next.formatted(.iso8601))") }
  }
}

/// `keymill schedule list`: the recurring jobs.
struct ScheduleListCommand: Command {
  static let name = "list"
  static let summary = "List recurring jobs"

  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let schedules = try queueOptions.open(.reader).schedules()
    if json { return try Output.json(ScheduleList(schedules: schedules.map(ScheduleJSON.init))) }
    guard !schedules.isEmpty else { return Output.message("no schedules") }
    var table = TextTable(["NAME", "WHEN", "NEXT", "LAST JOB", "RECIPE", "INPUT"])
    for schedule in schedules {
      table.add([
        schedule.name, schedule.cron, schedule.nextAt?.formatted(.iso8601) ?? "-",
        schedule.lastJob.map(String.init) ?? "-", schedule.job.recipe.name,
        InputName(schedule.job.input).shown,
      ])
    }
    table.lines.forEach(Output.result)
  }
}

/// `keymill schedule remove`: removes recurring jobs.
struct ScheduleRemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove recurring jobs"

  @Argument(help: "Their names.", valueName: "name")
  var names: [String]
  @OptionGroup var queueOptions: QueueOptions

  func run() throws {
    let store = try queueOptions.open(.client)
    for name in names { try store.removeSchedule(name) }
  }
}

/// What `schedule list --json` prints.
private struct ScheduleList: Encodable {
  let schedules: [ScheduleJSON]
}

/// A recurring job as keymill shows it to programs.
private struct ScheduleJSON: Encodable {
  let name: String
  let cron: String
  let recipe: String
  let input: String
  let output: String
  let queue: String
  let nextAt: String?
  let firedAt: String?
  let lastJob: Int64?

  init(_ schedule: JobSchedule) {
    name = schedule.name
    cron = schedule.cron
    recipe = schedule.job.recipe.name
    input = InputName(schedule.job.input).shown
    output = schedule.job.output
    queue = schedule.job.queue
    nextAt = schedule.nextAt?.formatted(.iso8601)
    firedAt = schedule.firedAt?.formatted(.iso8601)
    lastJob = schedule.lastJob
  }
}
