import Dispatch
import Foundation
import MatteTruth
import SampleScenes
import Synchronization

/// Judges all keyers on scenes under conditions.
struct Bench: Sendable {
  /// Frames of a clip.
  ///
  /// Those judged come last, so that they are frames that the codec predicted.
  private static let frameCount = 8
  private static let firstJudged = 4

  let workshop: Workshop
  let keyers: [any Keyer]
  /// How many frames are judged under the base condition; 2 under the others.
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
    let frames = (0..<Self.frameCount).map(scene.frame)
    let truths = frames.map { TruthFrame(MattePicture($0)) }
    let found = Mutex<[Result<Outcome, any Error>?]>(
      Array(repeating: nil, count: conditions.count))
    DispatchQueue.concurrentPerform(iterations: conditions.count) { index in
      let result = Result { try judge(scene, frames, truths, under: conditions[index]) }
      found.withLock { $0[index] = result }
    }
    return try found.withLock { try $0.compactMap { try $0?.get() } }
  }

  private func judge(
    _ scene: TruthScene, _ frames: [Picture], _ truths: [TruthFrame], under condition: Condition
  ) throws -> Outcome {
    let count = condition == .base ? framesJudged : 2
    let judged = Self.firstJudged..<Self.firstJudged + count
    let clip = try workshop.clip(of: scene, frames, under: condition, judged: judged)
    defer { try? FileManager.default.removeItem(at: clip.room) }
    var outcome = Outcome(scene: scene.name, condition: condition, truth: truths[judged.lowerBound])
    for keyer in keyers {
      try keyer.key(clip) { setting, mattes in
        let score = score(mattes, by: Array(truths[judged]), clip.key, condition)
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
