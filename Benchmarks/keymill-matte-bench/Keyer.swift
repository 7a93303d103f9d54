import MatteTruth

/// A way to key clips, with the settings that it is tried with.
protocol Keyer: Sendable {
  /// What the tables call it.
  var name: String { get }
  /// Whether keymill is this one or must beat it.
  var isOurs: Bool { get }
  /// Keys a clip with each setting in turn, and hands the judged frames over.
  func key(_ clip: Clip, judge: (_ setting: String, _ mattes: [MattePicture]) -> Void) throws
}
