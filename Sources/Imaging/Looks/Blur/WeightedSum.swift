import CVectors

/// Adds up pixels weight by weight; for kernels of few pixels.
///
/// Pixels on opposite sides have the same weight and are added first. Sums are in 1/128 of a code, in
/// sixteen bits, so that sixteen of them are worked on at once; what each product loses by being cut is
/// made up for at the end.
struct WeightedSum: Sendable {
  /// The weights of the middle and of each pair, in 1/65536.
  private let weights: [BlockWords]
  /// Half a code, and half of what is cut off on average.
  private let rounding: UInt16

  /// Weighs pairs of pixels; the middle takes what they leave of 1.
  init(pairWeights: [Double]) {
    let sides = pairWeights.map { UInt16(($0 * 65536).rounded()) }
    let middle = 65536 - 2 * sides.reduce(0) { $0 + Int($1) }
    weights = ([UInt16(clamping: middle)] + sides).map { BlockWords(repeating: $0) }
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
    let lowBytes = BlockWords(repeating: 0xff)
    @inline(__always)
    func load(_ place: Int) -> BlockWords {
      unsafe bytes.blockWords(at: places[unchecked: place] &+ offset)
    }
    let middle = load(0)
    let weight = unsafe weights[unchecked: 0]
    var low = km_high_product((middle & lowBytes) &<< 7, weight)
    var high = km_high_product((middle &>> 8) &<< 7, weight)
    for pair in 1..<weights.count {
      let (a, b) = (load(2 &* pair &- 1), load(2 &* pair))
      let weight = unsafe weights[unchecked: pair]
      low &+= km_high_product(((a & lowBytes) &+ (b & lowBytes)) &<< 7, weight)
      high &+= km_high_product(((a &>> 8) &+ (b &>> 8)) &<< 7, weight)
    }
    let half = BlockWords(repeating: rounding)
    let words = ((low &+ half) &>> 7) | ((high &+ half) &>> 7) &<< 8
    // Eight pixels of two times two bytes.
    return unsafe unsafeBitCast(words, to: SIMD8<UInt32>.self)
  }
}
