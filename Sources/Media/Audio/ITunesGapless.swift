/// What iTunes writes about encoder delay into the tag `iTunSMPB`: hexadecimal words, of which the
/// second to fourth are delay, padding and the number of samples between them.
struct ITunesGapless: Equatable {
  /// Samples before the first one of the source.
  let delay: Int
  /// Samples after the last one.
  let padding: Int
  /// Samples of the source.
  let sampleCount: Int

  /// Reads the tag; nil where it is none.
  init?(_ tag: String) {
    let words = tag.split(separator: " ").prefix(4).map { Int($0, radix: 16) }
    guard words.count == 4, let delay = words[1], let padding = words[2], let count = words[3],
      delay >= 0, padding >= 0, count > 0
    else { return nil }
    (self.delay, self.padding, sampleCount) = (delay, padding, count)
  }
}
