import Commands
import FoundationEssentials
import Glibc
import Platform

/// `keymill-soak drill`: runs the drills and prints what was checked.
struct DrillCommand: Command {
  static let name = "drill"
  static let summary = "Run the drills; exit 1 where a promise was broken"

  @Option(help: "The program to break.", valueName: "file")
  var keymill = ".build/release/keymill"
  @Option(help: "Where the samples and recipes lie.", valueName: "dir")
  var checkout = "."
  @Option(help: "Where to work; what was there of an earlier soak is removed.", valueName: "dir")
  var directory = ".build/soak"
  @Option(help: "Only this drill; may be given again.", valueName: "name")
  var only: [DrillName] = []
  @Option(help: "Jobs in the storm.", valueName: "n")
  var jobs = 2000
  @Option(help: "Processes that the storm kills.", valueName: "n")
  var kills = 200
  @Option(help: "Supervisors that the storm freezes past their leases.", valueName: "n")
  var stops = 20
  @Option(help: "How long the crowd submits, lists and cancels.", valueName: "time")
  var crowd: Duration = .seconds(30)
  @Option(help: "How many leases the long job outlives.", valueName: "n")
  var leases = 8
  @Option(help: "What the storm's dice begin with.", valueName: "n")
  var seed = 1

  func run() throws {
    let place = try Files.absolutePath(directory)
    let workshop = try Workshop(
      keymill: Files.absolutePath(keymill), checkout: Files.absolutePath(checkout),
      directory: place)
    var table = CheckTable()
    print("seed \(seed), \(CoreCount.available) cores\n\n\(CheckTable.titles)")
    for name in DrillName.allCases where only.isEmpty || only.contains(name) {
      let start = BootClock.now
      let checks = try run(name, workshop)
      print(table.add(checks, of: name.rawValue, took: BootClock.now - start))
      // A soak takes minutes, and may be ended before its time.
      fflush(nil)
    }
    guard table.violations.isEmpty else {
      print("\n" + table.violations.joined(separator: "\n"))
      print("\nWhat the pools said and did is in \(place).")
      throw ExitCode.failure
    }
    try Files.removeTree(place)
  }

  private func run(_ name: DrillName, _ workshop: Workshop) throws -> [Check] {
    switch name {
    case .storm:
      try StormDrill(workshop.room("storm"), jobs: jobs, kills: kills, stops: stops, seed: seed)
        .run()
    case .disk: try FullDiskDrill(workshop.room("disk")).run()
    case .crowd: try CrowdDrill(workshop.room("crowd"), time: crowd).run()
    case .long: try LongJobDrill(workshop.room("long"), leases: leases).run()
    }
  }
}

/// What there is to run.
enum DrillName: String, CaseIterable, ExpressibleByArgument {
  /// Kills and freezes.
  case storm
  /// A full file system.
  case disk
  /// Many processes at one queue.
  case crowd
  /// A job longer than its lease.
  case long
}
