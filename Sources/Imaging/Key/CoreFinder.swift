/// Tells pixels that are surely foreground: solid ones that keep from what is like the screen.
struct CoreFinder {
  /// How far foreground keeps from the screen: what lies nearer may be mixed with it.
  static let reach = 2

  /// The flags of five rows together.
  private var gathered = RowStore<UInt8>(ring: 1, width: 0, filledWith: 0)
  private var width = 0

  /// Makes room for rows of `width` pixels.
  mutating func begin(width: Int) {
    guard self.width != width else { return }
    self.width = width
    gathered = RowStore(ring: 1, width: width, filledWith: 0)
  }

  /// Sets which pixels of row `y` are foreground: 255 or 0.
  ///
  /// In blocks that are not busy there is none.
  func find(
    row y: Int, of height: Int, coverage: SampleRow<UInt8>, screen: RowStore<UInt8>,
    surfaces: SurfaceMap, blocks: BlockMap, into core: SampleRow<UInt8>
  ) {
    let near = gathered[0]
    let rows = max(y - Self.reach, 0)...min(y + Self.reach, height - 1)
    let (busy, kinds) = (blocks.busy(row: y / 2), blocks.kinds(row: y / 2))
    let unit = 2 * BlockMap.width
    core.fill(0..<width, with: 0)
    guard !busy.isEmpty else { return }
    near.fill(-unit..<busy.lowerBound * unit, with: 255)
    near.fill(busy.upperBound * unit..<max(width, busy.upperBound * unit), with: 255)
    for block in busy {
      let x = unit * block
      let kind = kinds[block]
      if kind.contains(.isSolid) {
        near.set(SIMD16<UInt8>.zero, at: x)
      } else {
        near.set(
          kind.contains(.isBusy) ? gathered(x, rows, screen) : SIMD16(repeating: 255), at: x)
      }
    }
    // Beside the picture is no screen.
    near.fill(-unit..<0, with: 0)
    near.fill(width..<width + unit, with: 0)
    for block in busy {
      let x = unit * block
      let kind = kinds[block]
      // Solid blocks have nothing else within reach.
      if kind.contains(.isSolid) {
        core.set(SIMD16(repeating: 255), at: x)
      } else if kind.contains(.isBusy) {
        var flags = near.sixteen(x)
        for distance in 1...Self.reach {
          flags |= near.sixteen(x - distance) | near.sixteen(x + distance)
        }
        let solid = coverage.sixteen(x).flags(from: BlockMap.solid) | surfaces.paint(x, row: y)
        core.set(solid & flags.flags(equal: .zero), at: x)
      }
    }
    core.fill(width..<width + unit, with: 0)
  }

  @inline(always)
  private func gathered(
    _ x: Int, _ rows: ClosedRange<Int>, _ screen: RowStore<UInt8>
  ) -> SIMD16<UInt8> {
    var flags = SIMD16<UInt8>.zero
    for y in rows { flags |= screen[y].sixteen(x) }
    return flags
  }
}
