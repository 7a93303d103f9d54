/// A run of pixels of one row on their way through point filters.
///
/// The first filter reads the pixels, where there are curves before it through their tables; the last
/// one writes them. Between two filters the channels are floats, clamped to 0…1, in planes that stay
/// in the first-level cache.
///
/// `count` pixels are a multiple of ``ColorBlock/count``; who makes the tile answers for the memory.
@unsafe struct PointTile {
  /// Where a filter takes the colours from.
  enum Source { case pixels, curves, planes }
  /// Where it puts them.
  enum Sink { case pixels, planes }

  var source: Source
  var sink: Sink
  /// Whether alpha goes through the planes; else it stays in the pixels.
  var carriesAlpha: Bool
  /// The first pixel, at any address divisible by four.
  let pixels: UnsafeMutableRawPointer
  /// Four planes of `PointScratch.capacity` floats.
  let planes: UnsafeMutableRawPointer
  /// Three tables of 256 floats, as ``ChannelCurves/tables``.
  let tables: UnsafePointer<Float>?
  let count: Int
  /// The first pixel's column.
  let x: Int
  /// The row.
  let y: Int
  /// The size of the picture.
  let size: PixelSize

  /// Runs a filter over the tile in the loop that fits where the colours come from and go to.
  @inline(__always)
  func run(_ filter: some PointFilter) {
    switch unsafe (source, sink) {
    case (.pixels, .pixels): unsafe loop(filter, from: PixelSource.self, to: PixelSink.self)
    case (.pixels, .planes): unsafe loop(filter, from: PixelSource.self, to: PlaneSink.self)
    case (.curves, .pixels): unsafe loop(filter, from: CurveSource.self, to: PixelSink.self)
    case (.curves, .planes): unsafe loop(filter, from: CurveSource.self, to: PlaneSink.self)
    case (.planes, .pixels): unsafe loop(filter, from: PlaneSource.self, to: PixelSink.self)
    case (.planes, .planes): unsafe loop(filter, from: PlaneSource.self, to: PlaneSink.self)
    }
  }

  @inline(__always)
  private func loop<From: BlockSource, To: BlockSink>(
    _ filter: some PointFilter, from: From.Type, to: To.Type
  ) {
    for start in unsafe stride(from: 0, to: count, by: ColorBlock.count) {
      var block = unsafe From.load(self, at: start)
      filter.apply(to: &block, at: unsafe BlockPlace(x: x + start, y: y, in: size))
      unsafe To.store(block, self, at: start)
    }
  }
}

// MARK: - Ends of the loops

/// Where a loop reads blocks.
private protocol BlockSource {
  static func load(_ tile: PointTile, at start: Int) -> ColorBlock
}

/// Where a loop writes blocks.
private protocol BlockSink {
  static func store(_ block: ColorBlock, _ tile: PointTile, at start: Int)
}

extension PointTile {
  @inline(__always)
  fileprivate func words(at start: Int) -> SIMD8<UInt32> {
    let words = unsafe pixels.loadUnaligned(
      fromByteOffset: start &* 4, as: SIMD8<UInt32>.self)
    #if _endian(big)
      return words.byteSwapped
    #else
      return words
    #endif
  }

  @inline(__always)
  fileprivate func setWords(_ words: SIMD8<UInt32>, at start: Int) {
    #if _endian(big)
      let words = words.byteSwapped
    #endif
    unsafe pixels.storeBytes(of: words, toByteOffset: start &* 4, as: SIMD8<UInt32>.self)
  }

  @inline(__always)
  fileprivate func plane(_ index: Int, at start: Int) -> Lanes {
    let offset = (index &* PointScratch.capacity &+ start) &* 4
    return unsafe Lanes(planes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self))
  }

  @inline(__always)
  fileprivate func setPlane(_ index: Int, _ lanes: Lanes, at start: Int) {
    let offset = (index &* PointScratch.capacity &+ start) &* 4
    unsafe planes.storeBytes(of: lanes.values, toByteOffset: offset, as: SIMD8<Float>.self)
  }
}

private enum PixelSource: BlockSource {
  @inline(__always)
  static func load(_ tile: PointTile, at start: Int) -> ColorBlock {
    unsafe ColorBlock(words: tile.words(at: start))
  }
}

private enum CurveSource: BlockSource {
  @inline(__always)
  static func load(_ tile: PointTile, at start: Int) -> ColorBlock {
    let words = unsafe tile.words(at: start)
    var block = ColorBlock(words: words)
    guard let tables = unsafe tile.tables else { return block }
    block.red = unsafe lookUp(words, in: tables)
    block.green = unsafe lookUp(words &>> 8, in: tables + 256)
    block.blue = unsafe lookUp(words &>> 16, in: tables + 512)
    return block
  }

  @inline(__always)
  private static func lookUp(_ words: SIMD8<UInt32>, in table: UnsafePointer<Float>) -> Lanes {
    @inline(__always) func value(_ word: UInt32) -> Float {
      // In bounds: a byte indexes 256 values.
      unsafe table[Int(word & 0xff)]
    }
    return Lanes(
      SIMD8(
        value(words[0]), value(words[1]), value(words[2]), value(words[3]),
        value(words[4]), value(words[5]), value(words[6]), value(words[7])))
  }
}

private enum PlaneSource: BlockSource {
  @inline(__always)
  static func load(_ tile: PointTile, at start: Int) -> ColorBlock {
    unsafe ColorBlock(
      red: tile.plane(0, at: start), green: tile.plane(1, at: start),
      blue: tile.plane(2, at: start),
      alpha: tile.carriesAlpha ? tile.plane(3, at: start) : 0)
  }
}

private enum PixelSink: BlockSink {
  @inline(__always)
  static func store(_ block: ColorBlock, _ tile: PointTile, at start: Int) {
    let words =
      unsafe tile.carriesAlpha
      ? block.words : block.words(withAlphaOf: tile.words(at: start))
    unsafe tile.setWords(words, at: start)
  }
}

private enum PlaneSink: BlockSink {
  @inline(__always)
  static func store(_ block: ColorBlock, _ tile: PointTile, at start: Int) {
    var block = block
    block.clampToUnit()
    unsafe tile.setPlane(0, block.red, at: start)
    unsafe tile.setPlane(1, block.green, at: start)
    unsafe tile.setPlane(2, block.blue, at: start)
    if unsafe tile.carriesAlpha { unsafe tile.setPlane(3, block.alpha, at: start) }
  }
}
