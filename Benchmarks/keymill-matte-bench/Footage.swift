import MatteTruth
import SampleScenes

/// The frames of a scene before a screen, with what judging them needs.
struct Footage: Sendable {
  let pictures: [Picture]
  let truths: [TruthFrame]

  /// Draws the first `count` frames as they are before a screen of the colour `key`.
  init(of scene: TruthScene, count: Int, before key: SIMD3<UInt8>) {
    pictures = (0..<count).map { scene.frame($0, before: key) }
    truths = pictures.map { TruthFrame(MattePicture($0)) }
  }
}
