/// What luma tells of the coverage of eight pixels where the foreground ends at once.
///
/// Chroma of half resolution is blurred over two or three pixels: in a thin outline no pixel is surely
/// foreground, and colour difference takes some of each for screen. Luma is whole. Where coverage rises
/// from that of the screen to a solid one within two pixels, a pixel is as much foreground as its luma
/// has come from the screen's to that of the most different solid pixel beside it.
struct SharpEdge {
  /// How much coverage differs within two pixels from where on an end is taken for sharp, and from where
  /// on for certain: motion blur and smoke rise more gently.
  fileprivate static let rise: ClosedRange<Float> = 0.7 * 255...0.9 * 255
  /// How far luma must be from the screen's to tell the two apart, and how far to do so for certain, in
  /// codes.
  private static let contrast: ClosedRange<Float> = 18...40
  /// How many times what the first coverage lacks that of luma may lack: a colour of another hue has no
  /// share of the screen though it be as bright.
  private static let lack: Float = 2

  /// Coverage by luma, 0…1, and how far it is to be trusted, 0…1.
  let share, trust: SIMD8<Float>

  /// The edge among eight pixels, of which the first coverage is known too.
  @inline(always)
  init(_ surround: Surround.Lanes, first: SIMD8<Float>) {
    let most = surround.most.magnitude
    share = (surround.away.magnitude / most.greater(SIMD8(repeating: 1))).lesser(
      SIMD8(repeating: 1)
    ).greater(Self.lack * first - (Self.lack - 1))
    trust = Self.contrast.share(below: most) * Self.rise.share(below: surround.rise)
  }

  /// Takes the place of another coverage as far as this one is trusted and the other is not, and adds
  /// to its trust.
  @inline(always)
  func refine(_ other: inout SIMD8<Float>, _ otherTrust: inout SIMD8<Float>) {
    let trust = trust * (1 - otherTrust)
    other += (share - other) * trust
    otherTrust = otherTrust.greater(trust)
  }
}

/// The luma of solid pixels beside sixteen, and how coverage changes around them.
struct Surround {
  /// The first coverage from which on a pixel is solid enough to give its luma.
  private static let solid: UInt8 = 153

  private let screen: UInt8
  /// The luma of the pixels, and on that side of the screen's the most different one of the solid pixels
  /// of the 3 × 3 around each: the screen's own where there is none.
  private let luma, extreme: SIMD16<UInt8>
  /// The greatest coverage within two pixels less the least.
  private let rise: SIMD16<UInt8>

  /// Numbers of eight pixels: what luma and the most different one differ from the screen's.
  struct Lanes {
    let away, most, rise: SIMD8<Float>
  }

  /// The first or the second eight pixels.
  @inline(always)
  func lanes(half: Int) -> Lanes {
    @inline(always)
    func eight(_ bytes: SIMD16<UInt8>) -> SIMD8<Int16> {
      (half == 0 ? bytes.lowHalf : bytes.highHalf).words
    }
    let screen = SIMD8(repeating: Int16(screen))
    return Lanes(
      away: (eight(luma) &- screen).floats, most: (eight(extreme) &- screen).floats,
      rise: eight(rise).floats)
  }

  /// Whether coverage changes nowhere fast enough for an edge that is sharp.
  @inline(always)
  var isGentle: Bool { rise.flags(from: UInt8(SharpEdge.rise.lowerBound)).isClear }

  /// The rows that are looked at for those of one.
  struct Rows {
    fileprivate typealias Row = SampleRow<UInt8>
    /// The coverage of the rows one above, at and one below, and two above and below.
    fileprivate let coverage: (Row, Row, Row, far: (Row, Row))
    /// The luma of those up to one away.
    fileprivate let luma: (Row, Row, Row)

    /// The rows around a row; beyond the picture its first or last one stands once more.
    init(_ row: HeldRow) {
      let held = row.held
      @inline(always)
      func beside(_ distance: Int) -> Int {
        min(max(row.y + distance, held.lowerBound), held.upperBound - 1)
      }
      let (above, below) = (beside(-1), beside(1))
      let (coverages, lumas) = (row.coverages, row.lumas)
      coverage = (
        coverages[above], row.coverage, coverages[below],
        far: (coverages[beside(-2)], coverages[beside(2)])
      )
      luma = (lumas[above], lumas[row.y], lumas[below])
    }
  }

  /// What is around sixteen pixels from a place on, before a screen of a luma code.
  @inline(always)
  init(_ x: Int, _ rows: Rows, screen: UInt8) {
    var darkest = SIMD16<UInt8>(repeating: screen)
    var brightest = darkest
    var (least, most) = (SIMD16<UInt8>(repeating: 255), SIMD16<UInt8>.zero)
    @inline(always)
    func look(_ coverage: SIMD16<UInt8>) {
      least = least.lesser(coverage)
      most = most.greater(coverage)
    }
    @inline(always)
    func look(_ coverage: SIMD16<UInt8>, _ luma: SIMD16<UInt8>) {
      let isSolid = coverage.flags(from: Self.solid)
      look(coverage)
      darkest = darkest.lesser(luma | ~isSolid)
      brightest = brightest.greater(luma & isSolid)
    }
    @inline(always)
    func look(_ coverages: SampleRow<UInt8>, _ lumas: SampleRow<UInt8>) {
      let (coverage, luma) = (coverages.sixteens(x, apart: 1), lumas.sixteens(x, apart: 1))
      look(coverage.left, luma.left)
      look(coverage.here, luma.here)
      look(coverage.right, luma.right)
    }
    look(rows.coverage.0, rows.luma.0)
    look(rows.coverage.1, rows.luma.1)
    look(rows.coverage.2, rows.luma.2)
    // Of what is two pixels away every second one will do.
    @inline(always)
    func lookFar(_ coverages: SampleRow<UInt8>) {
      let (left, here, right) = coverages.sixteens(x, apart: 2)
      look(left)
      look(here)
      look(right)
    }
    lookFar(rows.coverage.far.0)
    lookFar(rows.coverage.1)
    lookFar(rows.coverage.far.1)
    self.screen = screen
    luma = rows.luma.1.sixteen(x)
    let isBrighter = luma.flags(from: screen)
    extreme = brightest & isBrighter | darkest & ~isBrighter
    rise = most &- least
  }
}

extension ClosedRange<Float> {
  /// Which part of the range lies below numbers, 0…1.
  @inline(always)
  fileprivate func share(below numbers: SIMD8<Float>) -> SIMD8<Float> {
    ((numbers - lowerBound) * (1 / (upperBound - lowerBound))).clamped(to: 1)
  }
}
