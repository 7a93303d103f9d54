import Commands
import Glibc
import Platform

/// Breaks pools on purpose and checks that the queue keeps its promises.
///
/// Real processes of the `keymill` that was built, real media jobs, one queue for each drill;
/// `make soak` runs all of it, the tests a small one.
@main
struct Soak: CommandGroup {
  static let name = "keymill-soak"
  static let summary = "Breaks pools on purpose and checks what is left"
  static let sections = [CommandSection([DrillCommand.self, CrowdMember.self])]

  static func main() {
    Signal.brokenPipe.ignore()
    let tree = CommandTree(Soak.self) { "keymill-soak" }
    let code = tree.run(Array(CommandLine.arguments.dropFirst())) { error in
      print("keymill-soak: \(error)")
      return .defect
    }
    exit(code.rawValue)
  }
}
