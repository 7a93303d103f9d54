import Dispatch
import Foundation
import MatteTruth
import Synchronization

/// Judges all keyers on scenes under conditions.
struct Bench: Sendable {
  /// The first frame that is judged; the codec has predicted it and those after it.
  private static let firstJudged = 4

  let workshop: Workshop
  let keyers: [any Keyer]
  /// How many frames are judged under the base condition; 2 under the others and of large scenes.
  let framesJudged: Int
  /// Whether outcomes hold pictures.
  let keepsPictures: Bool

  /// All keyers: keymill's first.
  static func keyers(keymill: String) -> [any Keyer] {
    [
      KeymillKeyer(program: keymill, mode: .automatic),
      KeymillKeyer(program: keymill, mode: .gpuimage), FFmpegKeyer.chromakey,
      FFmpegKeyer.colorkey, FormulaTrials.gpuimage, FormulaTrials.obs,
      FormulaTrials.colorDifference,
    ]
  }

  /// Judges a scene under all conditions, several at a time.
  func judge(_ scene: TruthScene, under conditions: [Condition]) throws -> [Outcome] {
    let count = Self.firstJudged + framesJudged
    let plain = Footage(of: scene, count: count, before: Condition.base.key)
    let isGreenToo = scene.hasScreenHues && conditions.contains(.green)
    let green = isGreenToo ? Footage(of: scene, count: count, before: Condition.green.key) : plain
    let found = Mutex<[Result<Outcome, any Error>?]>(
      Array(repeating: nil, count: conditions.count))
    DispatchQueue.concurrentPerform(iterations: conditions.count) { index in
      let condition = conditions[index]
      let footage = condition == .green ? green : plain
      let result = Result { try judge(scene, footage, under: condition) }
      found.withLock { $0[index] = result }
    }
    return try found.withLock { try $0.compactMap { try $0?.get() } }
  }

  private func judge(
    _ scene: TruthScene, _ footage: Footage, under condition: Condition
  ) throws -> Outcome {
    let count = condition == .base && !scene.isLarge ? framesJudged : 2
    let judged = Self.firstJudged..<Self.firstJudged + count
    let clip = try workshop.clip(
      of: scene, Array(footage.pictures.prefix(judged.upperBound)), under: condition, judged: judged
    )
    defer { try? FileManager.default.removeItem(at: clip.room) }
    let truths = Array(footage.truths[judged])
    var outcome = Outcome(scene: scene.name, condition: condition, truth: truths[0])
    for keyer in keyers {
      try keyer.key(clip) { setting, mattes in
        let score = score(mattes, by: truths, clip.key, condition)
        let trial = Trial(keyer: keyer.name, setting: setting, isOurs: keyer.isOurs)
        outcome.add(score, of: trial, matte: keepsPictures ? mattes[0] : nil)
      }
    }
    return outcome
  }

  /// The mean over the frames; gradient and connectivity of the first only, for they take long.
  private func score(
    _ mattes: [MattePicture], by truths: [TruthFrame], _ key: SIMD3<Float>, _ condition: Condition
  ) -> Score {
    var score = Score(
      meanOf: mattes.indices.map { index in
        truths[index].score(
          mattes[index], key: key, isFull: index == 0 && condition == .base)
      })
    let flickers = mattes.indices.dropLast().map { index in
      TruthFrame.flicker(
        from: mattes[index], to: mattes[index + 1], truth: truths[index],
        nextTruth: truths[index + 1])
    }
    score[.flicker] = flickers.reduce(0, +) / Double(flickers.count)
    return score
  }
}
