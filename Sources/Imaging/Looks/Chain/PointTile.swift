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
  /// Four tables of 256 floats, as ``ChannelCurves/tables(count:)``.
  let tables: UnsafePointer<Float>?
  let count: Int
  /// The first pixel's column.
  let x: Int
  /// The row.
  let y: Int
  /// The size of the picture.
  let size: PixelSize

  /// Runs a filter over the tile.
  ///
  /// The loop asks for each block where colours come from and go to: against the arithmetic of eight
  /// pixels it costs nothing, and a loop for each answer would be six of every filter.
  @inline(__always)
  func run(_ filter: some PointFilter) {
    for start in unsafe stride(from: 0, to: count, by: ColorBlock.count) {
      var block = unsafe load(at: start)
      filter.apply(to: &block, at: unsafe BlockPlace(x: x &+ start, y: y, in: size))
      unsafe store(block, at: start)
    }
  }
}

// MARK: - Ends of the loop

extension PointTile {
  @inline(__always)
  private func words(at start: Int) -> SIMD8<UInt32> {
    let words = unsafe pixels.loadUnaligned(
      fromByteOffset: start &* 4, as: SIMD8<UInt32>.self)
    #if _endian(big)
      return words.byteSwapped
    #else
      return words
    #endif
  }

  @inline(__always)
  private func setWords(_ words: SIMD8<UInt32>, at start: Int) {
    #if _endian(big)
      let words = words.byteSwapped
    #endif
    unsafe pixels.storeBytes(of: words, toByteOffset: start &* 4, as: SIMD8<UInt32>.self)
  }

  @inline(__always)
  private func plane(_ index: Int, at start: Int) -> Lanes {
    let offset = (index &* PointScratch.capacity &+ start) &* 4
    return unsafe Lanes(planes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self))
  }

  @inline(__always)
  private func setPlane(_ index: Int, _ lanes: Lanes, at start: Int) {
    let offset = (index &* PointScratch.capacity &+ start) &* 4
    unsafe planes.storeBytes(of: lanes.values, toByteOffset: offset, as: SIMD8<Float>.self)
  }
}

extension PointTile {
  @inline(__always)
  private func load(at start: Int) -> ColorBlock {
    switch unsafe source {
    case .pixels: unsafe ColorBlock(words: words(at: start))
    case .curves: unsafe curved(at: start)
    case .planes:
      unsafe ColorBlock(
        red: plane(0, at: start), green: plane(1, at: start), blue: plane(2, at: start),
        alpha: carriesAlpha ? plane(3, at: start) : 0)
    }
  }

  @inline(__always)
  private func store(_ block: ColorBlock, at start: Int) {
    switch unsafe sink {
    case .pixels:
      unsafe setWords(
        carriesAlpha ? block.words : block.words(withAlphaOf: words(at: start)), at: start)
    case .planes:
      var block = block
      block.clampToUnit()
      unsafe setPlane(0, block.red, at: start)
      unsafe setPlane(1, block.green, at: start)
      unsafe setPlane(2, block.blue, at: start)
      if unsafe carriesAlpha { unsafe setPlane(3, block.alpha, at: start) }
    }
  }

  @inline(__always)
  private func curved(at start: Int) -> ColorBlock {
    guard let tables = unsafe tables else { return unsafe ColorBlock(words: words(at: start)) }
    let bytes = unsafe UnsafeRawPointer(pixels) + start &* 4
    // Bytes from memory: to take them out of the words again costs twice as much.
    @inline(__always) func channel(_ index: Int) -> Lanes {
      @inline(__always) func value(_ lane: Int) -> Float {
        // In bounds: a byte indexes 256 values.
        let code = unsafe bytes.load(fromByteOffset: 4 &* lane &+ index, as: UInt8.self)
        return unsafe tables[index &* 256 &+ Int(code)]
      }
      return Lanes(
        SIMD8(value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)))
    }
    return unsafe ColorBlock(
      red: channel(0), green: channel(1), blue: channel(2),
      alpha: carriesAlpha ? channel(3) : 0)
  }
}
