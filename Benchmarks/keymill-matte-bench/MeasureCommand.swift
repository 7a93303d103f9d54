import Commands
import Foundation
import MatteTruth

/// `keymill-matte-bench measure`: judges all keyers and prints tables in Markdown.
struct MeasureCommand: Command {
  static let name = "measure"
  static let summary = "Judge the keyers, and print tables and which bars are met"

  @Option(help: "Only this scene; may be given again.", valueName: "name")
  var scene: [SceneName] = []
  @Option(help: "Only this condition; may be given again.", valueName: "name")
  var condition: [Condition] = []
  @Flag(help: "Only the first condition, and fewer frames.")
  var quick: Bool
  @Flag(help: "List every setting of the other keyers, not only the best.")
  var settings: Bool
  @Option(help: "Write a sheet of pictures for each scene there.", valueName: "dir")
  var pictures: String?
  @Option(help: "The program to judge.", valueName: "file")
  var keymill = ".build/release/keymill"

  func run() throws {
    let scenes = TruthScene.all.filter { scene.isEmpty || scene.map(\.rawValue).contains($0.name) }
    let conditions = Condition.allCases.filter {
      quick ? $0 == .base : condition.isEmpty || condition.contains($0)
    }
    let workshop = try Workshop(directory: URL(fileURLWithPath: ".build/bench/matte"))
    defer { workshop.remove() }
    let bench = Bench(
      workshop: workshop, keyers: Bench.keyers(keymill: keymill),
      framesJudged: quick ? 2 : 4, keepsPictures: pictures != nil)
    var results = Results()
    for scene in scenes {
      let outcomes = try bench.judge(
        scene, under: scene.isLarge ? conditions.filter { $0 == .base } : conditions)
      results.add(outcomes)
      if let pictures {
        try SceneSheet.write(outcomes, of: scene, to: URL(fileURLWithPath: pictures))
      }
    }
    print(Report(results: results, listsSettings: settings).markdown)
  }
}

/// A scene's name on the command line.
struct SceneName: RawRepresentable, CaseIterable, ExpressibleByArgument {
  let rawValue: String

  init?(rawValue: String) {
    guard TruthScene.all.contains(where: { $0.name == rawValue }) else { return nil }
    self.rawValue = rawValue
  }

  static var allCases: [SceneName] { TruthScene.all.compactMap { SceneName(rawValue: $0.name) } }
}
