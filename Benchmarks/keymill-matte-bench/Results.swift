import MatteTruth

/// A keyer with one of its settings.
struct Trial: Hashable, Sendable {
  let keyer: String
  /// Empty where the keyer has one only.
  let setting: String
  let isOurs: Bool

  var label: String { setting.isEmpty ? keyer : "\(keyer) \(setting)" }
}

/// How all trials did on a scene under a condition.
struct Outcome: Sendable {
  let scene: String
  let condition: Condition
  let truth: TruthFrame
  private(set) var trials: [(trial: Trial, score: Score)] = []
  /// keymill's first judged frame, and the best of the others', where pictures are kept.
  private(set) var ours: MattePicture?
  private(set) var best: (trial: Trial, matte: MattePicture)?

  init(scene: String, condition: Condition, truth: TruthFrame) {
    self.scene = scene
    self.condition = condition
    self.truth = truth
  }

  /// Adds a trial; `matte` is kept where it is ours or better than all others before.
  mutating func add(_ score: Score, of trial: Trial, matte: MattePicture?) {
    let others = trials.filter { !$0.trial.isOurs }.map(\.score[.composite])
    trials.append((trial, score))
    guard let matte else { return }
    if trial.isOurs {
      ours = ours ?? matte
    } else if others.allSatisfy({ score[.composite] < $0 }) {
      best = (trial, matte)
    }
  }
}

/// All outcomes.
struct Results {
  private(set) var conditions: [Condition] = []
  private(set) var scenes: [String] = []
  /// The trials in the order of the keyers.
  private(set) var trials: [Trial] = []
  private var scores: [Place: Score] = [:]

  private struct Place: Hashable {
    let trial: Trial
    let scene: String
    let condition: Condition
  }

  /// Adds the outcomes of a scene.
  mutating func add(_ outcomes: [Outcome]) {
    for outcome in outcomes {
      if !scenes.contains(outcome.scene) { scenes.append(outcome.scene) }
      if !conditions.contains(outcome.condition) { conditions.append(outcome.condition) }
      if trials.isEmpty { trials = outcome.trials.map(\.trial) }
      for (trial, score) in outcome.trials {
        scores[Place(trial: trial, scene: outcome.scene, condition: outcome.condition)] = score
      }
    }
  }

  /// A trial's score on a scene, or its mean over all scenes.
  func score(of trial: Trial, _ condition: Condition, scene: String? = nil) -> Score {
    let wanted = scene.map { [$0] } ?? scenes
    return Score(
      meanOf: wanted.compactMap { scores[Place(trial: trial, scene: $0, condition: condition)] })
  }

  /// keymill at its defaults.
  var ours: Trial? { trials.first }

  /// The keyers that are not ours, in their order.
  var others: [String] {
    trials.filter { !$0.isOurs }.map(\.keyer).reduce(into: []) { names, name in
      if names.last != name { names.append(name) }
    }
  }

  /// The setting of a keyer, or of all that are not ours, with the least of a figure in the mean over
  /// the scenes, or on one.
  func best(
    _ metric: Metric, _ condition: Condition, keyer: String? = nil, scene: String? = nil
  ) -> Trial? {
    trials.filter { keyer == nil ? !$0.isOurs : $0.keyer == keyer }.min {
      score(of: $0, condition, scene: scene)[metric]
        < score(of: $1, condition, scene: scene)[metric]
    }
  }
}
