/// A run of point filters, compiled to as few loops over a tile as they need.
///
/// Curves alone become a map of bytes. Those before all other filters become tables that the pixels are
/// read through, those that follow others one finer table, and where they are straight lines a product
/// and a sum. Linear maps become one matrix where nothing can be clamped between them, else two go
/// together in a loop. Colours are floats from the first filter to the last, clamped after each and
/// rounded to 8 bits once at the end.
struct PointPass: Sendable {
  private enum Stage {
    case curves(ChannelCurves)
    case matrix(ColorMatrix)
    case filter(any PointFilter, changesAlpha: Bool)
  }

  private var stages: [Stage] = []

  var isEmpty: Bool { stages.isEmpty }

  /// Adds a function of each channel.
  mutating func append(_ filter: any ChannelFilter) {
    var curves = ChannelCurves()
    if case .curves(let last) = stages.last {
      curves = last
      stages.removeLast()
    }
    curves.append(filter)
    stages.append(.curves(curves))
  }

  /// Adds a linear map.
  mutating func append(_ matrix: ColorMatrix) {
    guard case .matrix(let last) = stages.last, last.staysInUnit else {
      return stages.append(.matrix(matrix))
    }
    stages[stages.count - 1] = .matrix(last.followed(by: matrix))
  }

  /// Adds any other filter.
  mutating func append<Filter: PointFilter>(_ filter: Filter) {
    stages.append(.filter(filter, changesAlpha: Filter.changesAlpha))
  }

  /// What there is to run.
  func compiled() -> PointProgram {
    if stages.count == 1, case .curves(let curves) = stages[0] {
      return .bytes(ByteMap(curves.tables(count: 256)))
    }
    var loops = PointLoops()
    var rest = stages[...]
    while let stage = rest.popFirst() {
      switch stage {
      case .curves(let curves): loops.append(curves)
      case .matrix(let matrix):
        if case .matrix(let next) = rest.first {
          loops.filters.append(ColorMatrixPair(first: matrix, second: next))
          rest = rest.dropFirst()
        } else {
          loops.filters.append(matrix)
        }
      case .filter(let filter, let changesAlpha):
        loops.filters.append(filter)
        loops.carriesAlpha = loops.carriesAlpha || changesAlpha
      }
    }
    return .loops(loops)
  }
}

/// What a run of point filters was compiled to.
enum PointProgram: Sendable {
  case bytes(ByteMap)
  case loops(PointLoops)
}

/// Filters with a loop over a tile each.
struct PointLoops: Sendable {
  fileprivate var filters: [any PointFilter] = []
  /// As those of ``PointTile``; empty where the pixels are read as they are.
  fileprivate var tables: [Float] = []
  fileprivate var carriesAlpha = false

  fileprivate mutating func append(_ curves: ChannelCurves) {
    carriesAlpha = carriesAlpha || curves.mapsAlpha
    // At the beginning there are codes only, and as many values.
    let isFirst = filters.isEmpty
    let tables = curves.tables(count: isFirst ? 256 : FineCurves.steps + 1)
    if let lines = LinearCurves(tables, mapsAlpha: curves.mapsAlpha) {
      filters.append(lines)
    } else if isFirst {
      self.tables = tables.flatMap { $0 }
    } else {
      filters.append(FineCurves(tables, mapsAlpha: curves.mapsAlpha))
    }
  }
}

/// The planes that point filters hand each other their results in; reused for all rows of a picture.
struct PointScratch {
  /// The most pixels in a tile: four planes of 2 KB leave room for look-up tables beside them.
  static let capacity = 512

  private var planes = [Float](repeating: 0, count: 4 * Self.capacity)

  /// Runs a program over the pixels of `range`, which are row `y` of a picture of a size.
  mutating func run(
    _ program: PointProgram, over pixels: inout MutableSpan<SIMD4<UInt8>>, _ range: Range<Int>,
    y: Int, in size: PixelSize
  ) {
    switch program {
    case .bytes(let map): map.apply(to: &pixels, in: range)
    case .loops(let loops): run(loops, over: &pixels, range, y: y, in: size)
    }
  }

  private mutating func run(
    _ loops: PointLoops, over pixels: inout MutableSpan<SIMD4<UInt8>>, _ range: Range<Int>,
    y: Int, in size: PixelSize
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= pixels.count, "pixels out of range")
    // A tile has whole blocks only; what is left goes through a block of its own.
    let whole = range.count & ~(ColorBlock.count - 1)
    unsafe pixels.withUnsafeMutableBufferPointer { pixels in
      guard let first = UnsafeMutableRawPointer(pixels.baseAddress) else { return }
      let row = unsafe first + range.lowerBound * 4
      for x in stride(from: 0, to: whole, by: Self.capacity) {
        let count = min(Self.capacity, whole - x)
        unsafe run(loops, over: row + x * 4, count: count, x: x, y: y, in: size)
      }
    }
    guard whole < range.count else { return }
    let rest = range.lowerBound + whole..<range.upperBound
    var block = SIMD8<UInt32>.zero
    for (lane, x) in rest.enumerated() {
      block[lane] = unsafe unsafeBitCast(pixels[x], to: UInt32.self)
    }
    unsafe withUnsafeMutableBytes(of: &block) { block in
      guard let pixels = block.baseAddress else { return }
      unsafe run(loops, over: pixels, count: ColorBlock.count, x: whole, y: y, in: size)
    }
    for (lane, x) in rest.enumerated() {
      pixels[x] = unsafe unsafeBitCast(block[lane], to: SIMD4<UInt8>.self)
    }
  }

  @unsafe private mutating func run(
    _ loops: PointLoops, over pixels: UnsafeMutableRawPointer, count: Int, x: Int, y: Int,
    in size: PixelSize
  ) {
    unsafe planes.withUnsafeMutableBytes { planes in
      guard let planes = planes.baseAddress else { return }
      unsafe loops.tables.withUnsafeBufferPointer { tables in
        let source = tables.isEmpty ? PointTile.Source.pixels : .curves
        var tile = unsafe PointTile(
          source: source, sink: .planes, carriesAlpha: loops.carriesAlpha, pixels: pixels,
          planes: planes, tables: tables.baseAddress, count: count, x: x, y: y, size: size)
        for index in loops.filters.indices {
          if index == loops.filters.count - 1 { unsafe tile.sink = .pixels }
          unsafe loops.filters[index].run(over: tile)
          unsafe tile.source = .planes
        }
      }
    }
  }
}
