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
    let rows = Gathered(screen, around: y, of: height)
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
          kind.contains(.isBusy) ? rows.flags(x) : SIMD16(repeating: 255), at: x)
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
        let (next, far) = (near.sixteens(x, apart: 1), near.sixteens(x, apart: Self.reach))
        let flags = next.left | next.here | next.right | far.left | far.right
        let solid = coverage.sixteen(x).flags(from: BlockMap.solid) | surfaces.paint(x, row: y)
        core.set(solid & flags.flags(equal: .zero), at: x)
      }
    }
    core.fill(width..<width + unit, with: 0)
  }
}

/// The flags of a row and of those within reach above and below it.
private struct Gathered {
  private let above, here, below: SampleRow<UInt8>
  private let far: (above: SampleRow<UInt8>, below: SampleRow<UInt8>)

  /// Those around row `y` of `height`, the first and the last of which stand for those beyond.
  @inline(always)
  init(_ rows: RowStore<UInt8>, around y: Int, of height: Int) {
    (above, here, below) = (rows[max(y - 1, 0)], rows[y], rows[min(y + 1, height - 1)])
    far = (
      rows[max(y - CoreFinder.reach, 0)], rows[min(y + CoreFinder.reach, height - 1)]
    )
  }

  /// All flags of sixteen pixels from a place on.
  @inline(always)
  func flags(_ x: Int) -> SIMD16<UInt8> {
    far.above.sixteen(x) | above.sixteen(x) | here.sixteen(x) | below.sixteen(x)
      | far.below.sixteen(x)
  }
}
