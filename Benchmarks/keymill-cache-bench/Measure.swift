import Foundation
import Glibc
import Platform

/// A line of the table.
struct Row {
  let what: String
  let value: Double
  let unit: String
  /// What the value must stay below.
  let bar: Double

  var isMet: Bool { value < bar }

  var markdown: String {
    let measured = String(format: value < 10 ? "%.2f" : "%.0f", value)
    let limit = String(format: bar < 10 ? "%.2f" : "%.0f", bar)
    return "| \(what) | \(measured) \(unit) | < \(limit) \(unit) | \(isMet ? "✓" : "✗") |"
  }
}

/// Seconds of CPU, in the program and in the kernel, that `body` takes for each of `count` times.
func cpuSeconds(_ count: Int = 1, _ body: () throws -> Void) rethrows -> Double {
  let start = cpuTime()
  try body()
  return (cpuTime() - start) / Double(count)
}

/// The least of several measurements: others on the machine can only add to one.
func best(of rounds: Int, _ body: () throws -> Double) rethrows -> Double {
  var least = Double.infinity
  for _ in 0..<rounds { least = min(least, try body()) }
  return least
}

/// The memory that this process has of its own now, in megabytes.
func ownMemory() throws -> Double {
  let text = String(decoding: try Files.read("/proc/self/status"), as: UTF8.self)
  let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
  return (line?.split(separator: " ").dropFirst().first).flatMap { Double($0) }.map { $0 / 1000 }
    ?? .nan
}

private func cpuTime() -> Double {
  var time = timespec()
  // Cannot fail: the clock exists and the structure is ours.
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
