import Foundation

/// The machine that the figures are from.
struct Machine {
  /// The processor's name as the kernel gives it.
  var processor: String
  /// The numbers of the cores that this process may use.
  var cores: [Int]
  /// The kernel's name and release.
  var system: String

  static var current: Machine {
    let status = text(of: "/proc/self/status")
    let name = value("model name", in: text(of: "/proc/cpuinfo"))
    return Machine(
      processor: name ?? "unknown processor",
      cores: numbers(in: value("Cpus_allowed_list", in: status) ?? "0"),
      system: "Linux " + text(of: "/proc/sys/kernel/osrelease").prefix { !$0.isNewline })
  }

  private static func text(of path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  /// What follows the first `key:` at the start of a line.
  private static func value(_ key: String, in text: String) -> String? {
    for line in text.split(separator: "\n") where line.hasPrefix(key) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return nil
  }

  /// The numbers of a list like `0-3,8`.
  private static func numbers(in list: String) -> [Int] {
    list.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return [] }
      return Array(first...last)
    }
  }
}
