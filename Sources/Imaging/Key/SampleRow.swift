/// Samples of one kind in memory that lives as long as its owner and is never reallocated.
///
/// The kernels of mode `clean` hold rows of several buffers at once, which spans of an object's stored
/// properties do not allow.
@safe final class SampleBuffer<Sample: BitwiseCopyable> {
  private let base: UnsafeMutablePointer<Sample>
  private let count: Int

  /// Makes a buffer of equal samples.
  init(count: Int, filledWith sample: Sample) {
    precondition(count >= 0, "a buffer has no less than no samples")
    self.count = count
    unsafe base = .allocate(capacity: count)
    unsafe base.initialize(repeating: sample, count: count)
  }

  deinit { unsafe base.deallocate() }

  /// A row of `width` samples that begins at `start`, with `padding` accessible ones at either end.
  func row(at start: Int, width: Int, padding: Int) -> SampleRow<Sample> {
    precondition(start - padding >= 0 && start + width + padding <= count, "row out of range")
    // In bounds by the check.
    return unsafe SampleRow(base + start, from: -padding, to: width + padding)
  }
}

/// A row of samples in a ``SampleBuffer``, which must outlive it.
///
/// Safe because each access is checked against the row's bounds; so checked, eight samples cost no
/// more than one.
@safe struct SampleRow<Sample: BitwiseCopyable> {
  private let base: UnsafeMutablePointer<Sample>
  private let lower: Int
  private let upper: Int

  fileprivate init(_ base: UnsafeMutablePointer<Sample>, from lower: Int, to upper: Int) {
    unsafe self.base = unsafe base
    self.lower = lower
    self.upper = upper
  }

  /// The sample at a place.
  subscript(x: Int) -> Sample {
    @inline(always) get {
      precondition(x >= lower && x < upper, "place out of range")
      return unsafe base[x]
    }
    @inline(always) nonmutating set {
      precondition(x >= lower && x < upper, "place out of range")
      unsafe base[x] = newValue
    }
  }

  /// Sets a range of samples to one value.
  @inline(always)
  func fill(_ range: Range<Int>, with sample: Sample) {
    precondition(range.lowerBound >= lower && range.upperBound <= upper, "range out of range")
    unsafe (base + range.lowerBound).update(repeating: sample, count: range.count)
  }

  /// Copies a span to the places from 0 on, and repeats its ends in all that are accessible.
  func copy(_ samples: Span<Sample>) {
    let count = samples.count
    precondition(count > 0 && count <= upper, "the samples must fit in")
    unsafe samples.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe base.update(from: start, count: count)
    }
    fill(lower..<0, with: samples[0])
    fill(count..<upper, with: samples[count - 1])
  }

  /// Copies a range of a span to its place, and repeats the span's ends in what is accessible beside
  /// it where the range goes up to them.
  func copy(_ samples: Span<Sample>, _ range: Range<Int>) {
    let range = range.clamped(to: 0..<samples.count)
    guard range.count < samples.count else { return copy(samples) }
    precondition(range.upperBound <= upper, "the samples must fit in")
    unsafe samples.extracting(range).withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe (base + range.lowerBound).update(from: start, count: range.count)
    }
    if range.lowerBound == 0 { fill(lower..<0, with: samples[0]) }
    if range.upperBound == samples.count {
      fill(samples.count..<upper, with: samples[samples.count - 1])
    }
  }

  /// Calls `body` with the address of a range of samples, valid during the call.
  func withBytes(of range: Range<Int>, _ body: (UnsafeRawPointer) -> Void) {
    precondition(range.lowerBound >= lower && range.upperBound <= upper, "range out of range")
    unsafe body(UnsafeRawPointer(base + range.lowerBound))
  }

  @inline(always)
  private func place<Vector>(_ x: Int, of count: Int, as: Vector.Type) -> UnsafeMutableRawPointer {
    precondition(x >= lower && x <= upper - count, "places out of range")
    return unsafe UnsafeMutableRawPointer(base + x)
  }
}

extension SampleRow where Sample: SIMDScalar {
  /// Four samples from a place on.
  @inline(always)
  func four(_ x: Int) -> SIMD4<Sample> {
    unsafe place(x, of: 4, as: SIMD4<Sample>.self).loadUnaligned(as: SIMD4<Sample>.self)
  }

  /// Eight samples from a place on.
  @inline(always)
  func eight(_ x: Int) -> SIMD8<Sample> {
    unsafe place(x, of: 8, as: SIMD8<Sample>.self).loadUnaligned(as: SIMD8<Sample>.self)
  }

  /// Sixteen samples from a place on.
  @inline(always)
  func sixteen(_ x: Int) -> SIMD16<Sample> {
    unsafe place(x, of: 16, as: SIMD16<Sample>.self).loadUnaligned(as: SIMD16<Sample>.self)
  }

  /// Sixteen samples from a place on, and from so many places before and after it.
  @inline(always)
  func sixteens(
    _ x: Int, apart: Int
  ) -> (left: SIMD16<Sample>, here: SIMD16<Sample>, right: SIMD16<Sample>) {
    precondition(apart >= 0 && apart <= 16, "too far apart")
    let left = unsafe place(x - apart, of: 16 + 2 * apart, as: SIMD16<Sample>.self)
    let step = apart * MemoryLayout<Sample>.stride
    // In bounds, all of the places from the first to the last being so.
    return unsafe (
      left.loadUnaligned(as: SIMD16<Sample>.self),
      left.loadUnaligned(fromByteOffset: step, as: SIMD16<Sample>.self),
      left.loadUnaligned(fromByteOffset: 2 * step, as: SIMD16<Sample>.self)
    )
  }

  /// Sets eight samples from a place on.
  @inline(always)
  func set(_ samples: SIMD8<Sample>, at x: Int) {
    unsafe place(x, of: 8, as: SIMD8<Sample>.self).storeBytes(of: samples, as: SIMD8<Sample>.self)
  }

  /// Sets sixteen samples from a place on.
  @inline(always)
  func set(_ samples: SIMD16<Sample>, at x: Int) {
    unsafe place(x, of: 16, as: SIMD16<Sample>.self)
      .storeBytes(of: samples, as: SIMD16<Sample>.self)
  }
}

/// The rows of a picture, or those around the one at hand, each in its place of a ring.
struct RowStore<Sample: BitwiseCopyable> {
  /// Accessible samples beyond either end of a row: vectors reach over its end and look beside it.
  static var padding: Int { 32 }

  private let buffer: SampleBuffer<Sample>
  private let mask: Int
  /// The rows of the buffer; to compute them costs more than many a kernel does with one.
  private let rows: [SampleRow<Sample>]

  /// Makes room for all rows of a picture.
  init(size: PixelSize, filledWith sample: Sample) {
    self.init(rows: size.height, mask: .max, width: size.width, sample)
  }

  /// Makes a ring of `count` rows, a power of two, of `width` samples.
  init(ring count: Int, width: Int, filledWith sample: Sample) {
    precondition(count > 0 && count & (count - 1) == 0, "a ring has a power of two of rows")
    self.init(rows: count, mask: count - 1, width: width, sample)
  }

  private init(rows: Int, mask: Int, width: Int, _ sample: Sample) {
    self.mask = mask
    let pitch = (width + 2 * Self.padding + 15) & ~15
    let buffer = SampleBuffer(count: rows * pitch, filledWith: sample)
    self.buffer = buffer
    self.rows = (0..<rows).map {
      buffer.row(at: $0 * pitch + Self.padding, width: width, padding: Self.padding)
    }
  }

  /// Row `y`; of a ring it must be among the last that were set.
  subscript(y: Int) -> SampleRow<Sample> {
    @inline(always) get { rows[y & mask] }
  }
}
