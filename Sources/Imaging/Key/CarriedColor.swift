/// The foreground's colour carried into the pixels beside it, at half resolution.
///
/// Each sample is the mean of the foreground's colours around it by a Gaussian of 2.5 pixels, times
/// the share of foreground there, and that share. Made only where it is asked for, in blocks as those
/// of ``BlockMap``.
struct CarriedColor {
  /// Samples on either side that are looked at.
  static let reach = 3
  /// exp(−½·(i/1.25)²), which sum to 1 over both sides; no static, which would be asked for whether it is
  /// made already at each use.
  private let weights: [4 of Float] = {
    let raw: [4 of Float] = [1, 0.7261490, 0.2780373, 0.0561348]
    let sum = raw[0] + 2 * (raw[1] + raw[2] + raw[3])
    return [raw[0] / sum, raw[1] / sum, raw[2] / sum, raw[3] / sum]
  }()
  /// Lines of sums kept: a power of two that holds what one reaches.
  private static let kept = 8

  /// Red, green and blue times share, and share, of eight samples or pixels.
  struct Lanes {
    /// Numbers of one of them.
    static let count = 32
    var red, green, blue, share: SIMD8<Float>

    static var zero: Self { Self(red: .zero, green: .zero, blue: .zero, share: .zero) }

    @inline(always)
    mutating func add(_ other: Self, times weight: Float) {
      red += other.red * weight
      green += other.green * weight
      blue += other.blue * weight
      share += other.share * weight
    }
  }

  /// What is known of a block of a line.
  private enum State: UInt8 {
    case unknown, clear, filled
  }

  private var width = 0
  private var lastLine = 0
  private var blocks = 0
  /// Sums of the foreground of 2 × 2 pixels of lines, and the samples of the line at hand: of each
  /// block its lanes one after the other.
  private var sums = RowStore<Float>(ring: 1, width: 0, filledWith: 0)
  private var samples = RowStore<Float>(ring: 1, width: 0, filledWith: 0)
  /// The line at hand mixed down the picture, red, green, blue and share in a row each.
  private var columns = RowStore<Float>(ring: 4, width: 0, filledWith: 0)
  private var line = -1
  /// Which line's sums stand in a row of the ring.
  private var lines = [Int](repeating: -1, count: Self.kept)
  private var sumStates = RowStore<State>(ring: 1, width: 0, filledWith: .unknown)
  /// Of the columns, and of the samples, of the line at hand.
  private var lineStates = RowStore<State>(ring: 2, width: 0, filledWith: .unknown)
  private var columnStates: SampleRow<State> { lineStates[0] }
  private var sampleStates: SampleRow<State> { lineStates[1] }

  /// Begins a picture of `size` samples.
  mutating func begin(_ size: PixelSize) {
    lastLine = size.height - 1
    forget()
    guard width != size.width else { return }
    width = size.width
    blocks = (width + BlockMap.width - 1) / BlockMap.width
    sums = RowStore(ring: Self.kept, width: blocks * Lanes.count, filledWith: 0)
    samples = RowStore(ring: 1, width: blocks * Lanes.count, filledWith: 0)
    columns = RowStore(ring: 4, width: width, filledWith: 0)
    sumStates = RowStore(ring: Self.kept, width: blocks, filledWith: .unknown)
    lineStates = RowStore(ring: 2, width: blocks, filledWith: .unknown)
  }

  /// Forgets the lines seen before.
  mutating func forget() {
    line = -1
    for index in lines.indices { lines[index] = -1 }
  }

  /// Whether a block of the line at hand, which must be prepared, has no foreground near.
  @inline(always)
  func isClear(_ block: Int) -> Bool { sampleStates[block] == .clear }

  /// The carried colour of eight of the sixteen pixels on a block of the line at hand, which must be
  /// prepared.
  @inline(always)
  func pixels(_ block: Int, half: Int) -> Lanes {
    let row = samples[0]
    @inline(always)
    func doubled(_ lane: Int) -> SIMD8<Float> {
      let four = row.four(Lanes.count * block + 8 * lane + 4 * half)
      return SIMD8(four.x, four.x, four.y, four.y, four.z, four.z, four.w, four.w)
    }
    return Lanes(red: doubled(0), green: doubled(1), blue: doubled(2), share: doubled(3))
  }

  /// Makes the samples of a block of a line.
  ///
  /// Of colour and core the rows of `reach` lines around must be there.
  mutating func prepare(
    _ block: Int, line y: Int, color: RowStore<UInt32>, core: RowStore<UInt8>
  ) {
    if line != y { start(y) }
    guard sampleStates[block] == .unknown else { return }
    var isClear = true
    for beside in max(block - 1, 0)...min(block + 1, blocks - 1) {
      mixColumns(beside, color, core)
      if columnStates[beside] == .filled { isClear = false }
    }
    sampleStates[block] = isClear ? .clear : .filled
    samples[0].set(isClear ? .zero : mixedAcross(block * BlockMap.width), block)
  }

  /// Mixes columns about eight samples from a place on.
  private func mixedAcross(_ x: Int) -> Lanes {
    func mixed(_ row: SampleRow<Float>) -> SIMD8<Float> {
      var sum = row.eight(x) * weights[0]
      for distance in 1...Self.reach {
        sum += row.eight(x - distance) * weights[distance]
        sum += row.eight(x + distance) * weights[distance]
      }
      return sum
    }
    return Lanes(
      red: mixed(columns[0]), green: mixed(columns[1]), blue: mixed(columns[2]),
      share: mixed(columns[3]))
  }

  /// The lines that are looked at for the one at hand.
  private var linesBeside: ClosedRange<Int> {
    max(line - Self.reach, 0)...min(line + Self.reach, lastLine)
  }

  private mutating func start(_ y: Int) {
    line = y
    columnStates.fill(0..<blocks, with: .unknown)
    sampleStates.fill(0..<blocks, with: .unknown)
    for beside in linesBeside where lines[beside & (Self.kept - 1)] != beside {
      lines[beside & (Self.kept - 1)] = beside
      sumStates[beside].fill(0..<blocks, with: .unknown)
    }
  }

  private func mixColumns(
    _ block: Int, _ color: RowStore<UInt32>, _ core: RowStore<UInt8>
  ) {
    guard columnStates[block] == .unknown else { return }
    var mixed = Lanes.zero
    columnStates[block] = .clear
    for other in linesBeside {
      guard sum(block, line: other, color, core) else { continue }
      columnStates[block] = .filled
      mixed.add(sums[other].lanes(block), times: weights[abs(other - line)])
    }
    let x = block * BlockMap.width
    columns[0].set(mixed.red, at: x)
    columns[1].set(mixed.green, at: x)
    columns[2].set(mixed.blue, at: x)
    columns[3].set(mixed.share, at: x)
  }

  /// Sums the foreground of a block of a line, once; whether there is any.
  private func sum(
    _ block: Int, line y: Int, _ color: RowStore<UInt32>, _ core: RowStore<UInt8>
  ) -> Bool {
    let states = sumStates[y]
    if states[block] != .unknown { return states[block] == .filled }
    let x = 2 * BlockMap.width * block
    let (top, bottom) = (core[2 * y], core[2 * y + 1])
    guard !(top.sixteen(x) | bottom.sixteen(x)).isClear else {
      states[block] = .clear
      return false
    }
    states[block] = .filled
    let (first, second) = (
      CoreSums(x, (color[2 * y], color[2 * y + 1]), (top, bottom)),
      CoreSums(x + 8, (color[2 * y], color[2 * y + 1]), (top, bottom))
    )
    func scaled(_ low: SIMD4<UInt32>, _ high: SIMD4<UInt32>) -> SIMD8<Float> {
      SIMD8(lowHalf: low, highHalf: high).floats * 0.25
    }
    sums[y].set(
      Lanes(
        red: scaled(first.redBlue & 0xffff, second.redBlue & 0xffff),
        green: scaled(first.greenCount & 0xffff, second.greenCount & 0xffff),
        blue: scaled(first.redBlue &>> 16, second.redBlue &>> 16),
        share: scaled(first.greenCount &>> 16, second.greenCount &>> 16)),
      block)
    return true
  }
}

/// The sums of colour and number of the foreground pixels of each 2 × 2, of which there are four.
private struct CoreSums {
  /// Red, and above it blue.
  let redBlue: SIMD4<UInt32>
  /// Green, and above it the number.
  let greenCount: SIMD4<UInt32>

  @inline(always)
  init(
    _ x: Int, _ color: (top: SampleRow<UInt32>, bottom: SampleRow<UInt32>),
    _ core: (top: SampleRow<UInt8>, bottom: SampleRow<UInt8>)
  ) {
    func parts(
      _ color: SampleRow<UInt32>, _ core: SampleRow<UInt8>
    ) -> (redBlue: SIMD8<UInt32>, greenCount: SIMD8<UInt32>) {
      let flags = core.eight(x).wordFlags
      let pixels = color.eight(x) & flags
      return (pixels & 0xff_00ff, pixels &>> 8 & 0xff | flags & 0x1_0000)
    }
    let (top, bottom) = (parts(color.top, core.top), parts(color.bottom, core.bottom))
    let redBlue = top.redBlue &+ bottom.redBlue
    let greenCount = top.greenCount &+ bottom.greenCount
    self.redBlue = redBlue.evenHalf &+ redBlue.oddHalf
    self.greenCount = greenCount.evenHalf &+ greenCount.oddHalf
  }
}

extension SampleRow<Float> {
  /// The lanes of a block where those of each stand together.
  @inline(always)
  fileprivate func lanes(_ block: Int) -> CarriedColor.Lanes {
    let x = block * CarriedColor.Lanes.count
    let (first, second) = (sixteen(x), sixteen(x + 16))
    return CarriedColor.Lanes(
      red: first.lowHalf, green: first.highHalf, blue: second.lowHalf, share: second.highHalf)
  }

  @inline(always)
  fileprivate func set(_ lanes: CarriedColor.Lanes, _ block: Int) {
    let x = block * CarriedColor.Lanes.count
    set(lanes.red, at: x)
    set(lanes.green, at: x + 8)
    set(lanes.blue, at: x + 16)
    set(lanes.share, at: x + 24)
  }
}

extension Array {
  /// Makes the array have a length, keeping its storage where it suffices.
  mutating func resize(to count: Int, with element: Element) {
    if self.count > count { removeLast(self.count - count) }
    if self.count < count {
      append(contentsOf: repeatElement(element, count: count - self.count))
    }
  }
}
