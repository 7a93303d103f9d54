import Platform

/// How a supervisor runs its pool.
public struct SupervisorOptions {
  /// How many job processes run at once, at least 1.
  public var processes: Int
  /// Whether their number is that of the cores, and follows it on SIGHUP.
  public var followsCores = false
  /// Whether to stop once nothing is left to do.
  public var drains = false
  /// How long running jobs may go on after the first signal to stop.
  public var grace = Duration.seconds(30)
  /// How long a job's progress may stand still before it is ended.
  public var stall = Duration.seconds(60)
  /// How many threads a job may use; nil shares the cores among the processes.
  public var threadsPerJob: Int?
  /// How long a lease holds; it is renewed three times as often.
  public var lease = Duration.seconds(30)
  /// How long a job process has between being asked to end and being killed.
  public var killDelay = Duration.seconds(5)
  /// How often running jobs are looked after and their progress is stored.
  public var tick = Duration.milliseconds(500)
  /// How often to look for what no bell tells of: supervisors that died, writers without a bell.
  public var patrol = Duration.seconds(1)
  /// How long a job waits that found no room on the disk.
  public var spaceWait = Duration.seconds(10)
  /// The program that is a job process, with its arguments; gets a ``JobRequest`` on its standard
  /// input and answers with ``JobReport``s on its standard output.
  public var jobCommand = [Executable.itself, "run-job"]

  /// The program that job processes are forked from, with its arguments; it calls ``Zygote/serve(_:prepare:)``.
  ///
  /// Where there is none, or it does not work here, each job starts the `jobCommand` anew.
  public var zygoteCommand: [String]?
  /// How long a zygote may leave a request unanswered.
  public var zygotePatience = Duration.seconds(10)
  /// How inputs that are URLs are got; nil where they are not, and such jobs fail.
  public var downloads: DownloadOptions?
  /// How much memory of its own a job may have, in bytes.
  ///
  /// A job that wants more fails. So many jobs run at once as fit into `poolMemory` by this figure.
  public var maxMemory: Int64?
  /// The most that one file of an output may hold, in bytes, so that a runaway job cannot fill the disk.
  public var maxFileSize: Int64? = 64 << 30
  /// How much memory there is for all jobs together, in bytes; nil for the machine's.
  public var poolMemory: Int64?
  /// How long the machine has slept since it started.
  var timeAsleep: () -> Duration = { BootClock.asleep }
  /// How many descriptors this process may have open.
  var descriptorLimit = Host.descriptorLimit

  /// How many jobs fit into the memory, at least 1.
  var placesByMemory: Int {
    guard let maxMemory, maxMemory > 0 else { return .max }
    return Int(max(1, (poolMemory ?? Host.memory) / maxMemory))
  }

  /// How many jobs can be given the descriptors they take here, at least 1: seven as one starts, and 64
  /// are the pool's own.
  private var placesByDescriptors: Int { max(1, (descriptorLimit - 64) / 7) }

  /// How many jobs run at once at most, whatever number of processes is asked for.
  var places: Int { min(placesByMemory, placesByDescriptors) }

  /// The usual options for a pool of `processes`.
  public init(processes: Int) { self.processes = processes }
}
