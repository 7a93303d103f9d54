/// Adds up pixels weight by weight; for kernels of few pixels.
///
/// Pixels on opposite sides have the same weight and are added first. Sums are in 1/128 of a code, in
/// sixteen bits, so that eight of them are worked on at once; what each product loses by being cut is
/// made up for at the end.
struct WeightedSum: Sendable {
  /// The weights of the middle and of each pair, in 1/65536.
  private let weights: [ByteWords]
  /// Half a code, and half of what is cut off on average.
  private let rounding: UInt16

  /// Weighs pairs of pixels; the middle takes what they leave of 1.
  init(pairWeights: [Double]) {
    let sides = pairWeights.map { UInt16(($0 * 65536).rounded()) }
    let middle = 65536 - 2 * sides.reduce(0) { $0 + Int($1) }
    weights = ([UInt16(clamping: middle)] + sides).map { ByteWords(repeating: $0) }
    rounding = UInt16(64 + weights.count / 2)
  }

  /// The number of pixels that are added up.
  var count: Int { 2 * weights.count - 1 }

  /// The sums for eight pixels.
  ///
  /// `places` tells where in `bytes` the first of the eight is for the middle, and then for both of each
  /// pair; `offset` is added to them.
  @unsafe @inline(__always)
  func words(of bytes: RawSpan, places: Span<Int>, offset: Int) -> SIMD8<UInt32> {
    let weights = weights.span
    let low = ByteWords(repeating: 0xff)
    var sums = (ByteWords.zero, ByteWords.zero, ByteWords.zero, ByteWords.zero)
    @inline(__always)
    func load(_ place: Int) -> (ByteWords, ByteWords) {
      let start = unsafe places[unchecked: place] &+ offset
      return unsafe (bytes.byteWords(at: start), bytes.byteWords(at: start &+ 16))
    }
    let middle = load(0)
    let weight = unsafe weights[unchecked: 0]
    sums.0 = highProduct((middle.0 & low) &<< 7, weight)
    sums.1 = highProduct((middle.1 & low) &<< 7, weight)
    sums.2 = highProduct((middle.0 &>> 8) &<< 7, weight)
    sums.3 = highProduct((middle.1 &>> 8) &<< 7, weight)
    for pair in 1..<weights.count {
      let (a, b) = (load(2 &* pair &- 1), load(2 &* pair))
      let weight = unsafe weights[unchecked: pair]
      sums.0 &+= highProduct(((a.0 & low) &+ (b.0 & low)) &<< 7, weight)
      sums.1 &+= highProduct(((a.1 & low) &+ (b.1 & low)) &<< 7, weight)
      sums.2 &+= highProduct(((a.0 &>> 8) &+ (b.0 &>> 8)) &<< 7, weight)
      sums.3 &+= highProduct(((a.1 &>> 8) &+ (b.1 &>> 8)) &<< 7, weight)
    }
    let half = ByteWords(repeating: rounding)
    return joined(
      ((sums.0 &+ half) &>> 7, (sums.1 &+ half) &>> 7),
      ((sums.2 &+ half) &>> 7, (sums.3 &+ half) &>> 7))
  }
}
