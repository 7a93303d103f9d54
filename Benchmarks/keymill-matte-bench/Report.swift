import Foundation
import MatteTruth

/// The tables and the verdicts.
struct Report {
  let results: Results
  /// Whether every setting has a row.
  let listsSettings: Bool

  var markdown: String {
    let tables = results.conditions.map(table)
    let scenes = results.conditions.contains(.base) ? [sceneTable] : []
    let grids = results.conditions.count > 1 ? [Metric.edge, .composite].map(grid) : []
    return (tables + grids + scenes + [Bars(results).markdown]).joined(separator: "\n\n")
  }

  /// The mean over the scenes: keymill's modes, and each other keyer with the setting whose composite
  /// is best.
  private func table(_ condition: Condition) -> String {
    let metrics = Metric.allCases.filter { $0.isSummary || condition == .base }
    let ours = results.trials.filter(\.isOurs)
    let others =
      listsSettings
      ? results.trials.filter { !$0.isOurs }
      : results.others.compactMap { results.best(.composite, condition, keyer: $0) }
    let rows = (ours + others).map { trial in
      let score = results.score(of: trial, condition)
      return row([trial.label] + metrics.map { text(score[$0]) })
    }
    let head = [row(["keyer"] + metrics.map(\.title)), row(["---"] + metrics.map { _ in "---:" })]
    return (["\(condition.rawValue): \(condition.about); mean of the scenes", ""] + head + rows)
      .joined(separator: "\n")
  }

  /// Edge and composite scene by scene, under the base condition.
  private var sceneTable: String {
    let head = [
      "Scene by scene, \(Condition.base.about)", "",
      "| scene | edge | best other | tuned to the scene | composite | best other | tuned to the scene |",
      "|---|---:|---|---|---:|---|---|",
    ]
    let rows = results.scenes.map { scene in
      row(
        ["\(scene): \(about(scene))"]
          + [Metric.edge, .composite].flatMap { metric in
            let (ours, other, tuned) = Bars(results).rivals(metric, on: scene)
            return [text(ours), other, tuned]
          })
    }
    return (head + rows).joined(separator: "\n")
  }

  /// A figure of keymill's scene by scene and condition by condition, beside that of the best other
  /// keyer with the setting that is best for just these.
  private func grid(_ metric: Metric) -> String {
    let head = [
      "\(metric.title) of keymill and of the best other, tuned to each scene and condition", "",
      row(["scene"] + results.conditions.map(\.rawValue)),
      row(["---"] + results.conditions.map { _ in "---:" }),
    ]
    let rows = results.scenes.map { scene in
      row([scene] + results.conditions.map { pair(metric, $0, scene) })
    }
    return (head + rows).joined(separator: "\n")
  }

  private func pair(_ metric: Metric, _ condition: Condition, _ scene: String) -> String {
    guard let ours = results.ours,
      let best = results.best(metric, condition, scene: scene)
    else { return "" }
    let figures = [ours, best].map {
      results.score(of: $0, condition, scene: scene)[metric]
    }
    guard !figures.contains(where: \.isNaN) else { return "" }
    return figures.map(text).joined(separator: " / ")
  }

  private func about(_ scene: String) -> String {
    TruthScene.all.first { $0.name == scene }?.about ?? ""
  }

  private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

func text(_ value: Double) -> String { String(format: "%.2f", value) }

extension Metric {
  /// Whether the tables of all conditions have it.
  fileprivate var isSummary: Bool {
    switch self {
    case .edge, .holes, .residue, .flicker, .composite, .spill, .overdespill: true
    default: false
    }
  }

  /// The head of its column.
  fileprivate var title: String {
    switch self {
    case .alpha: "alpha"
    case .edge: "edge"
    case .holes: "holes"
    case .residue: "residue"
    case .sad: "SAD"
    case .mse: "MSE"
    case .gradient: "Grad"
    case .connectivity: "Conn"
    case .flicker: "dtSSD"
    case .overBlack: "black"
    case .overWhite: "white"
    case .overChecker: "checker"
    case .composite: "composite"
    case .spill: "spill"
    case .overdespill: "overdespill"
    }
  }
}
