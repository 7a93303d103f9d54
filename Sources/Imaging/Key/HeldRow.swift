/// A row that is solved, among the rows held around it.
struct HeldRow {
  /// Its number.
  let y: Int
  /// The rows that are held.
  let held: Range<Int>
  let color: SampleRow<UInt32>
  /// The first coverage of its pixels, and of all rows held.
  let coverage: SampleRow<UInt8>
  let coverages: RowStore<UInt8>
  /// The luma of the rows around it.
  let lumas: LumaRows
  /// The flags of ``ScreenJudge``.
  let screen: SampleRow<UInt8>
  /// 255 where a pixel is surely foreground.
  let core: SampleRow<UInt8>

  /// 255 for those of sixteen pixels that are screen, or like it where that is rough.
  @inline(always)
  func screenFlags(_ x: Int) -> SIMD16<UInt8> {
    let flags = screen.sixteen(x)
    let isOwn = flags.flags(equal: SIMD16(repeating: ScreenJudge.isScreen))
    let isLike = flags.flags(equal: SIMD16(repeating: ScreenJudge.isLikeScreen))
    return isLike.isClear ? isOwn : isOwn | isLike & isRough(x)
  }

  /// 255 for pixels that lie beside ones that are much less like the screen.
  ///
  /// What is like the screen then is the ringing of a codec, or the foot of an edge. Smoke and shadows
  /// grow thinner slowly.
  private func isRough(_ x: Int) -> SIMD16<UInt8> {
    var most = SIMD16<UInt8>.zero
    for distance in [2, 4, 7] {
      most = most.greater(coverage.sixteen(x - distance))
      most = most.greater(coverage.sixteen(x + distance))
      if held.contains(y - distance) { most = most.greater(coverages[y - distance].sixteen(x)) }
      if held.contains(y + distance) { most = most.greater(coverages[y + distance].sixteen(x)) }
    }
    let own = coverage.sixteen(x)
    // 12 steps more, which must not wrap.
    let limit = own &+ SIMD16(repeating: 12)
    return ~(most.greater(limit).flags(equal: limit)) & limit.greater(own).flags(equal: limit)
  }
}
