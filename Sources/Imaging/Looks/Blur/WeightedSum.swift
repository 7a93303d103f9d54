/// Adds up the pixels of a line weight by weight; for kernels of few pixels.
///
/// Pixels at equal distances are added first. Sums are in 1/128 of a code, in sixteen bits, so that
/// eight of them are worked on at once; what each product loses by being cut is made up for at the end.
struct WeightedSum: Sendable {
  /// The distances that have a weight: 0, then both of each pair.
  let distances: [Int]
  /// How far the farthest of them is.
  let radius: Int
  /// The weights of the middle and of the distances, in 1/65536.
  private let weights: [ByteWords]
  /// Half a code, and half of what is cut off on average.
  private let rounding: UInt16

  init(_ kernel: BlurKernel) {
    let pairs = (1..<kernel.weights.count).filter { kernel.weights[$0] > 0 }
    let sides = pairs.map { UInt16((kernel.weights[$0] * 65536).rounded()) }
    // The middle takes what the others leave, so that even colours stay as they are.
    let middle = 65536 - 2 * sides.reduce(0) { $0 + Int($1) }
    weights = ([UInt16(clamping: middle)] + sides).map { ByteWords(repeating: $0) }
    rounding = UInt16(64 + weights.count / 2)
    distances = [0] + pairs.flatMap { [-$0, $0] }
    radius = kernel.radius
  }

  /// The sums for eight pixels.
  ///
  /// - Parameters:
  ///   - bytes: The pixels.
  ///   - places: Where in them the first pixel is that each of ``distances`` leads to, in bytes.
  ///   - offset: What is added to the places.
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
