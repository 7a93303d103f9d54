/// Times in a clip, in seconds from its first shown frame.
enum ClipTime {
  /// Recipes and manifests give times in whole microseconds; a frame's own time, in ticks of its
  /// stream, lies up to half of one beside that.
  private static let slack = 1e-6

  /// Whether one time is before another, and not the same one in other digits.
  ///
  /// So a time out of a manifest names its frame, and frames at a clip's own rate are its frames.
  static func isBefore(_ earlier: Double, _ later: Double) -> Bool { earlier < later - slack }
}
