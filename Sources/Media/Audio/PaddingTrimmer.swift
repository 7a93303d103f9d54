import FFmpeg

/// Takes away what encoders put before and after a track, so that it has the samples of its source.
///
/// Leading samples go at once. Trailing ones are held until the end has come: where more of the track
/// follows, the header that called them padding was wrong, and they are given back.
struct PaddingTrimmer {
  private let declared: DeclaredLength?
  private let delay: Int
  /// Where the track ends by its container's word, in samples from the first one heard; nil where
  /// only the packets tell.
  private var declaredEnd: Int?
  private var hasBegun = false
  private var leadingLeft = 0
  private var held: [Frame] = []
  private var heldCount = 0
  /// Samples given out so far.
  private(set) var count = 0
  /// Whether samples were given back, because the track did not end where it was said to.
  private(set) var wasWrong = false

  /// Padding is at most some frames of the codec; more beyond the declared end is no padding.
  ///
  /// HE-AAC has the longest frames, of 2048 samples, and at most three of them are padding.
  static let mostPadding = 3 * 2048

  /// A trimmer for a track whose container declares this length, and a delay in samples that its
  /// packets are not marked with.
  init(_ declared: DeclaredLength?, delay: Int = 0) {
    self.declared = declared
    self.delay = delay
  }

  /// Takes the next frame and gives what is heard of it, and of what was held before.
  mutating func take(_ frame: Frame) throws -> [Frame] {
    var padding = frame.padding
    if !hasBegun {
      hasBegun = true
      if padding.leading == 0 { padding.leading = delay }
      declaredEnd = declared?.count(leading: padding.leading)
    }
    if padding.leading > 0 { leadingLeft = padding.leading }
    let skipped = min(leadingLeft, frame.sampleCount)
    leadingLeft -= skipped
    guard !frame.isDiscarded, skipped < frame.sampleCount else { return [] }
    let end = max(skipped, frame.sampleCount - padding.trailing)
    var heard = skipped..<end
    if let declaredEnd, count + heldCount + heard.count > declaredEnd {
      heard = skipped..<(skipped + max(0, declaredEnd - count - heldCount))
    }
    var given: [Frame] = []
    if !heard.isEmpty || heldCount > Self.mostPadding {
      if heldCount > 0 { giveBack(into: &given) }
      // A wrong end is none for what follows either.
      if wasWrong { heard = skipped..<end }
    }
    try give(frame, heard, into: &given)
    try hold(frame, from: heard.upperBound)
    return given
  }

  /// Says that another file begins here: the end of the one before was where it was said to be.
  mutating func beginAgain() {
    declaredEnd = nil
    held = []
    heldCount = 0
  }

  private mutating func giveBack(into given: inout [Frame]) {
    wasWrong = true
    declaredEnd = nil
    given += held
    count += heldCount
    held = []
    heldCount = 0
  }

  private mutating func give(
    _ frame: Frame, _ range: Range<Int>, into given: inout [Frame]
  ) throws {
    guard !range.isEmpty else { return }
    given.append(try frame.samples(in: range))
    count += range.count
  }

  private mutating func hold(_ frame: Frame, from start: Int) throws {
    guard start < frame.sampleCount else { return }
    held.append(try frame.samples(in: start..<frame.sampleCount))
    heldCount += frame.sampleCount - start
  }
}
