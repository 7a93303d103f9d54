import MatteTruth

/// What keymill's mattes have to reach, and whether they do.
struct Bars {
  private let results: Results

  init(_ results: Results) {
    self.results = results
  }

  /// The most that keymill's figures may be under the base condition, in the mean of the scenes.
  private static let limits: [(metric: Metric, name: String, limit: Double)] = [
    (.edge, "edge", 14), (.composite, "composite", 1.8), (.spill, "spill", 9),
    (.residue, "residue", 0), (.holes, "holes", 1),
  ]
  /// How much worse than the best other keyer keymill may be on a scene.
  private static let sceneTolerance = 1.05
  /// The most that keymill may flicker of what the best other does.
  private static let flickerShare = 0.8

  var markdown: String {
    let lines = results.conditions.flatMap { $0 == .base ? baseLines : comparison($0) }
    return (["| bar | keymill | may be | |", "|---|---:|---|---|"] + lines).joined(separator: "\n")
  }

  /// keymill's figure on a scene; that of the best other keyer with the setting that is best for all
  /// scenes together; and with the one that is best for this scene.
  func rivals(_ metric: Metric, on scene: String) -> (ours: Double, other: String, tuned: String) {
    func described(_ trial: Trial?) -> String {
      trial.map { "\(text(figure(metric, $0, scene))) \($0.label)" } ?? ""
    }
    return (
      results.ours.map { figure(metric, $0, scene) } ?? .nan,
      described(rival(metric, on: scene)), described(results.best(metric, .base, scene: scene))
    )
  }

  private var baseLines: [String] {
    guard let ours = results.ours else { return [] }
    let score = results.score(of: ours, .base)
    let limits = Self.limits.map { metric, name, limit in
      // Figures are printed with two decimals; less than half of the last is nothing.
      line("\(name), mean", score[metric], "≤ \(text(limit))", score[metric] < limit + 0.005)
    }
    let scenes = results.scenes.flatMap { scene in
      [Metric.edge, .composite].compactMap { metric -> String? in
        guard let rival = rival(metric, on: scene) else { return nil }
        let (figure, limit) = (
          figure(metric, ours, scene), figure(metric, rival, scene) * Self.sceneTolerance
        )
        return line(
          "\(metric) on \(scene)", figure, "≤ \(text(limit)), 1.05 of \(rival.label)",
          figure <= limit)
      }
    }
    guard let calm = results.best(.flicker, .base) else { return limits + scenes }
    let most = results.score(of: calm, .base)[.flicker] * Self.flickerShare
    let flicker = line(
      "dtSSD, mean", score[.flicker], "≤ \(text(most)), 0.8 of \(calm.label)",
      score[.flicker] <= most)
    return limits + scenes + [flicker]
  }

  /// Edge and composite against every other keyer at its best.
  private func comparison(_ condition: Condition) -> [String] {
    [Metric.edge, .composite].compactMap { metric in
      guard let ours = results.ours, let best = results.best(metric, condition) else { return nil }
      let (figure, least) = (
        results.score(of: ours, condition)[metric], results.score(of: best, condition)[metric]
      )
      return line(
        "\(metric), \(condition.rawValue), mean", figure, "< \(text(least)), \(best.label)",
        figure < least)
    }
  }

  /// The best other keyer on a scene, each with the setting that is best for all scenes together.
  private func rival(_ metric: Metric, on scene: String) -> Trial? {
    results.others.compactMap { results.best(metric, .base, keyer: $0) }.min {
      figure(metric, $0, scene) < figure(metric, $1, scene)
    }
  }

  private func figure(_ metric: Metric, _ trial: Trial, _ scene: String) -> Double {
    results.score(of: trial, .base, scene: scene)[metric]
  }

  private func line(_ name: String, _ figure: Double, _ limit: String, _ isMet: Bool) -> String {
    "| \(name) | \(text(figure)) | \(limit) | \(isMet ? "met" : "**missed**") |"
  }
}
