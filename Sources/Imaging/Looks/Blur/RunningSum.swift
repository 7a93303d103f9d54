/// Adds up the pixels of a line by way of the sum before; for kernels of many pixels.
///
/// See ``PolygonKernel`` for the recurrence. All is in whole numbers, so no error can build up.
struct RunningSum: Sendable {
  /// The recurrence at one place, for eight channels.
  struct State: Sendable {
    /// D, by how much the sum changes beside what `base` adds.
    var change: SIMD8<Int32>
    /// S.
    var sum: SIMD8<Int32>
  }

  let radius: Int
  /// What a step to m reads, as distances from m: the pixels that enter and leave, the one before m, and
  /// those at the corners around that one.
  let distances: [Int]
  private let total: Int32
  private let base: Int16
  private let middleBend: ByteWords
  private let bends: [ByteWords]
  /// By how much a sum is shifted to have sixteen bits, and what it is multiplied with then to have
  /// 1/128 of a code in the upper sixteen.
  private let shift: UInt32
  private let factor: ByteWords

  init(_ kernel: PolygonKernel) {
    func words(_ number: Int) -> ByteWords {
      ByteWords(repeating: UInt16(truncatingIfNeeded: number))
    }
    radius = kernel.radius
    distances = [radius, -1 - radius, -1] + kernel.corners.flatMap { [$0 - 1, -$0 - 1] }
    total = Int32(kernel.total)
    base = Int16(kernel.base)
    middleBend = words(kernel.middleBend)
    bends = kernel.bends.map(words)
    let bits = max(Int.bitWidth - (255 * kernel.total).leadingZeroBitCount - 16, 0)
    shift = UInt32(bits)
    factor = words(Int((Double(1 << (23 + bits)) / Double(kernel.total)).rounded()))
  }

  /// The state where all pixels that have a weight have the same codes.
  @inline(__always)
  func state(ofEven codes: ByteWords) -> State {
    State(
      change: .zero, sum: SIMD8<Int32>(truncatingIfNeeded: codes) &* SIMD8(repeating: total))
  }

  /// What is added to D and S from one place to the next.
  struct Step {
    let change: SIMD8<Int32>
    let edge: SIMD8<Int32>
  }

  /// The step to a place; `read` gives the codes at a distance, by its index in ``distances``.
  @inline(__always)
  func step(_ read: (_ index: Int) -> ByteWords) -> Step {
    @inline(__always) func widened(_ words: ByteWords) -> SIMD8<Int32> {
      SIMD8<Int32>(truncatingIfNeeded: SIMD8<Int16>(truncatingIfNeeded: words))
    }
    let bends = bends.span
    var change = read(2) &* middleBend
    for corner in bends.indices {
      let both = read(3 &+ 2 &* corner) &+ read(4 &+ 2 &* corner)
      change &+= unsafe both &* bends[unchecked: corner]
    }
    // Of two widened factors, which is fewer instructions than a product of 32 bits.
    let base = SIMD8<Int32>(truncatingIfNeeded: SIMD8<Int16>(repeating: base))
    return Step(change: widened(change), edge: widened(read(0) &- read(1)) &* base)
  }

  /// The steps of the low and the high bytes of eight words.
  ///
  /// `places` tells where in `bytes` the first pixel is that each of ``distances`` leads to; `offset` is
  /// added to them.
  @unsafe @inline(__always)
  func steps(of bytes: RawSpan, places: Span<Int>, offset: Int) -> (low: Step, high: Step) {
    let low = step { index in
      unsafe bytes.byteWords(at: places[unchecked: index] &+ offset) & ByteWords(repeating: 0xff)
    }
    let high = step { index in
      unsafe bytes.byteWords(at: places[unchecked: index] &+ offset) &>> 8
    }
    return (low, high)
  }

  /// Takes a step, and gives the codes there.
  @inline(__always)
  func advance(_ state: inout State, by step: Step) -> ByteWords {
    state.change &+= step.change
    state.sum &+= state.change &+ step.edge
    return codes(state.sum)
  }

  /// The codes of sums, rounded.
  @inline(__always)
  func codes(_ sums: SIMD8<Int32>) -> ByteWords {
    let upper = ByteWords(
      truncatingIfNeeded: SIMD8<UInt32>(truncatingIfNeeded: sums) &>> SIMD8(repeating: shift))
    return (highProduct(upper, factor) &+ ByteWords(repeating: 64)) &>> 7
  }
}
