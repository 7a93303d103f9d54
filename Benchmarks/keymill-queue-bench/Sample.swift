import Glibc
import Platform

/// How long jobs took.
struct Sample {
  /// Seconds a job.
  var wall: Double
  /// Seconds of this process's CPU a job.
  var cpu: Double

  /// Jobs a second.
  var rate: Double { 1 / wall }
}

/// The samples of the three sides.
struct Comparison {
  var bare: [Sample] = []
  var sameRows: [Sample] = []
  var ours: [Sample] = []
}

/// Measures what `count` jobs take.
func measureTime(_ count: Int, _ body: () throws -> Void) rethrows -> Sample {
  let (wall, cpu) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
  try body()
  return Sample(
    wall: (seconds(CLOCK_MONOTONIC) - wall) / Double(count),
    cpu: (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / Double(count))
}

/// Runs a program to its end and measures it.
func measureCommand(
  _ program: String, _ arguments: [String], in directory: String
) throws -> Sample {
  let start = seconds(CLOCK_MONOTONIC)
  let process = try ChildProcess(
    ChildProcess.Launch(program, arguments, workingDirectory: directory))
  let exit = try process.wait()
  guard exit.status.isSuccess else { throw BenchError("\(program) ended with \(exit.status)") }
  return Sample(wall: seconds(CLOCK_MONOTONIC) - start, cpu: exit.usage.cpuTime / .seconds(1))
}

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The middle one of the values, or of the two in the middle the mean; 0 where there are none.
func median(_ values: [Double]) -> Double {
  guard !values.isEmpty else { return 0 }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
