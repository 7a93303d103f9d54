/// The lowest and the highest of some samples.
struct PeakPair: Equatable {
  /// The lowest value.
  var low: Int16
  /// The highest value.
  var high: Int16

  /// The pair of both.
  func union(_ other: PeakPair) -> PeakPair {
    PeakPair(low: min(low, other.low), high: max(high, other.high))
  }
}

/// Divides sound into buckets of as many samples, and finds the peaks of each.
struct PeakBuckets {
  /// Samples of a bucket, at least 1.
  let size: Int
  private var low = Int16.max
  private var high = Int16.min
  private var filled = 0

  /// Buckets of `size` samples.
  init(size: Int) { self.size = max(1, size) }

  /// Takes the next samples, and gives the pair of each bucket that they fill to `show`.
  mutating func add(_ samples: Span<Int16>, show: (PeakPair) throws -> Void) rethrows {
    var start = 0
    while start < samples.count {
      let count = min(size - filled, samples.count - start)
      let piece = samples.extracting(start..<start + count)
      for index in piece.indices {
        low = min(low, piece[index])
        high = max(high, piece[index])
      }
      start += count
      filled += count
      if filled == size { try show(take()) }
    }
  }

  /// The pair of a last bucket that is not full; nil where there is none.
  mutating func takeRest() -> PeakPair? { filled > 0 ? take() : nil }

  private mutating func take() -> PeakPair {
    defer { (low, high, filled) = (.max, .min, 0) }
    return PeakPair(low: low, high: high)
  }
}
