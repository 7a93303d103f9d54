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

  /// A row of `width` samples and the padding at either end, which begins at `start`.
  func row(at start: Int, width: Int) -> SampleRow<Sample> {
    let room = width + 2 * SampleRow<Sample>.padding
    precondition(width >= 0 && start >= 0 && start + room <= count, "row out of range")
    // In bounds by the check.
    return unsafe SampleRow(base + start + SampleRow<Sample>.padding, room: room)
  }
}

/// A row of samples in a ``SampleBuffer``, which must outlive it.
///
/// Safe because each access is checked against the row's bounds; so checked, eight samples cost no
/// more than one. That the padding is the same in all rows makes a check one comparison.
@safe struct SampleRow<Sample: BitwiseCopyable> {
  /// Accessible samples beyond either end: vectors reach over an end and look beside it.
  static var padding: Int { 32 }

  private let base: UnsafeMutablePointer<Sample>
  /// Accessible samples, so many as the padding has at least.
  private let room: Int

  fileprivate init(_ base: UnsafeMutablePointer<Sample>, room: Int) {
    unsafe self.base = unsafe base
    self.room = room
  }

  /// Whether `count` samples from a place on, no more than the padding has, are accessible.
  @inline(always)
  private func holds(_ count: Int, at x: Int) -> Bool {
    UInt(bitPattern: x &+ Self.padding) <= UInt(bitPattern: room &- count)
  }

  private func holds(_ range: Range<Int>) -> Bool {
    range.lowerBound >= -Self.padding && range.upperBound <= room - Self.padding
  }

  /// The sample at a place.
  subscript(x: Int) -> Sample {
    @inline(always) get {
      precondition(holds(1, at: x), "place out of range")
      return unsafe base[x]
    }
    @inline(always) nonmutating set {
      precondition(holds(1, at: x), "place out of range")
      unsafe base[x] = newValue
    }
  }

  /// Sets a range of samples to one value.
  @inline(always)
  func fill(_ range: Range<Int>, with sample: Sample) {
    precondition(holds(range), "range out of range")
    unsafe (base + range.lowerBound).update(repeating: sample, count: range.count)
  }

  /// Copies a span to the places from 0 on, and repeats its ends in all that are accessible.
  func copy(_ samples: Span<Sample>) {
    let count = samples.count
    let upper = room - Self.padding
    precondition(count > 0 && count <= upper, "the samples must fit in")
    unsafe samples.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe base.update(from: start, count: count)
    }
    fill(-Self.padding..<0, with: samples[0])
    fill(count..<upper, with: samples[count - 1])
  }

  /// Copies a range of a span to its place, and repeats the span's ends in what is accessible beside
  /// it where the range goes up to them.
  func copy(_ samples: Span<Sample>, _ range: Range<Int>) {
    let range = range.clamped(to: 0..<samples.count)
    guard range.count < samples.count else { return copy(samples) }
    let upper = room - Self.padding
    precondition(range.upperBound <= upper, "the samples must fit in")
    unsafe samples.extracting(range).withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe (base + range.lowerBound).update(from: start, count: range.count)
    }
    if range.lowerBound == 0 { fill(-Self.padding..<0, with: samples[0]) }
    if range.upperBound == samples.count {
      fill(samples.count..<upper, with: samples[samples.count - 1])
    }
  }

  /// Calls `body` with the address of a range of samples, valid during the call.
  func withBytes(of range: Range<Int>, _ body: (UnsafeRawPointer) -> Void) {
    precondition(holds(range), "range out of range")
    unsafe body(UnsafeRawPointer(base + range.lowerBound))
  }

  @inline(always)
  private func place<Vector>(_ x: Int, of count: Int, as: Vector.Type) -> UnsafeMutableRawPointer {
    precondition(holds(count, at: x), "places out of range")
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

  /// Eight samples from a place on, and from so many places before and after it.
  @inline(always)
  func eights(
    _ x: Int, apart: Int
  ) -> (left: SIMD8<Sample>, here: SIMD8<Sample>, right: SIMD8<Sample>) {
    precondition(apart >= 0 && apart <= 8, "too far apart")
    let left = unsafe place(x &- apart, of: 8 + 2 * apart, as: SIMD8<Sample>.self)
    let step = apart * MemoryLayout<Sample>.stride
    // In bounds, all of the places from the first to the last being so.
    return unsafe (
      left.loadUnaligned(as: SIMD8<Sample>.self),
      left.loadUnaligned(fromByteOffset: step, as: SIMD8<Sample>.self),
      left.loadUnaligned(fromByteOffset: 2 * step, as: SIMD8<Sample>.self)
    )
  }

  /// Sixteen samples from a place on, and from so many places before and after it.
  @inline(always)
  func sixteens(
    _ x: Int, apart: Int
  ) -> (left: SIMD16<Sample>, here: SIMD16<Sample>, right: SIMD16<Sample>) {
    precondition(apart >= 0 && apart <= 8, "too far apart")
    let left = unsafe place(x &- apart, of: 16 + 2 * apart, as: SIMD16<Sample>.self)
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
    let pitch = (width + 2 * SampleRow<Sample>.padding + 15) & ~15
    let buffer = SampleBuffer(count: rows * pitch, filledWith: sample)
    self.buffer = buffer
    self.rows = (0..<rows).map {
      buffer.row(at: $0 * pitch, width: width)
    }
  }

  /// Row `y`; of a ring it must be among the last that were set.
  subscript(y: Int) -> SampleRow<Sample> {
    @inline(always) get { rows[y & mask] }
  }
}
