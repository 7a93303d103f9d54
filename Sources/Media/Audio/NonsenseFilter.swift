import FFmpeg

/// Puts silence in place of samples that are none: what is not a number or infinite, as broken programs
/// write into files of floats, would spoil all around it.
struct NonsenseFilter {
  /// Samples replaced so far, one for all channels.
  private(set) var count = 0
  /// The place of the first one, in samples from the first of the track.
  private(set) var first: Int?
  private var position = 0

  /// The next samples, as they can be worked on.
  mutating func clean(_ frame: Frame) throws -> Frame {
    defer { position += frame.sampleCount }
    guard let found = try frame.withoutNonsense() else { return frame }
    first = first ?? position + found.first
    count += found.count
    return found.frame
  }
}
