/// The alpha of every pair of 8-bit chroma codes.
///
/// GPUImage's distance depends on differences of R, G and B alone, and those on Cb and Cr alone: luma
/// drops out, so 65,536 entries are all there is and a look-up is exact. The entries are made from
/// the linear transform *without* clamping RGB to the cube. A player clamps first, which pulls
/// codes that stand for no colour, such as the ringing of a codec beside a saturated screen, towards
/// other hues; here they keep their distance from the key, and the matte does not depend on luma.
struct AlphaTable: Sendable {
  /// Alpha of the codes (Cb, Cr) at index `Cb·256 + Cr`.
  let entries: [UInt8]
  /// Codes that have one alpha.
  let boxes: Boxes

  /// Boxes of codes that have one alpha, by which a row is sorted before its chroma is raised.
  struct Boxes: Sendable {
    /// Codes that are all transparent; `nil` where there are none.
    var transparent: CodeBox?
    /// Codes that are all opaque, grey among them; `nil` where there are none.
    var opaque: CodeBox?
  }

  /// What is known of a run of pixels before its chroma is raised.
  enum RunKind {
    case transparent
    case opaque
    case mixed
  }

  /// Tabulates the alpha of colours, of whose luma it must not depend.
  init(
    encoding: YCbCrEncoding, screenNear color: SIMD3<Float>,
    alpha: (_ rgb: SIMD3<Float>) -> UInt8
  ) {
    entries = [UInt8](capacity: 65_536) { output in
      for cb in 0..<256 {
        for cr in 0..<256 {
          output.append(alpha(encoding.rgb(luma: 128, cb: Float(cb), cr: Float(cr))))
        }
      }
    }
    let codes = encoding.codes(of: color).clamped(
      lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
    boxes = Boxes(
      transparent: Self.box(
        of: 0, around: (Int(codes.y + 0.5), Int(codes.z + 0.5)), in: entries),
      opaque: Self.box(of: 255, around: (128, 128), in: entries))
  }

  /// A large box around a seed in which every entry has one value, grown a side at a time.
  private static func box(
    of alpha: UInt8, around seed: (Int, Int), in entries: [UInt8]
  ) -> CodeBox? {
    func isUniform(_ cb: ClosedRange<Int>, _ cr: ClosedRange<Int>) -> Bool {
      guard cb.lowerBound >= 0, cr.lowerBound >= 0, cb.upperBound < 256, cr.upperBound < 256
      else { return false }
      return cb.allSatisfy { b in cr.allSatisfy { r in entries[b << 8 | r] == alpha } }
    }
    guard isUniform(seed.0...seed.0, seed.1...seed.1) else { return nil }
    var (left, right, top, bottom) = (seed.0, seed.0, seed.1, seed.1)
    var grew = true
    while grew {
      grew = false
      if isUniform(left - 1...left - 1, top...bottom) { (left, grew) = (left - 1, true) }
      if isUniform(right + 1...right + 1, top...bottom) { (right, grew) = (right + 1, true) }
      if isUniform(left...right, top - 1...top - 1) { (top, grew) = (top - 1, true) }
      if isUniform(left...right, bottom + 1...bottom + 1) { (bottom, grew) = (bottom + 1, true) }
    }
    return CodeBox(cb: UInt8(left)...UInt8(right), cr: UInt8(top)...UInt8(bottom))
  }
}

// MARK: - Kernels

/// Rounds raised chroma (1/256 of a code about 128) to codes and packs them as `Cb·256 + Cr`.
func packCodes(
  _ cb: [Int16], _ cr: [Int16], _ run: Range<Int>, into output: inout [UInt16]
) {
  let cb = cb.span
  let cr = cr.span
  var packed = output.mutableSpan
  precondition(run.lowerBound >= 0 && run.upperBound <= packed.count, "run out of range")
  precondition(cb.count >= packed.count && cr.count >= packed.count, "rows must agree")
  for i in run {
    // Adding 128 codes and a half; the sum cannot pass 255.5, so it fits the 16 bits.
    let high = (UInt16(bitPattern: cb[i]) &+ 0x8080) & 0xff00
    packed[i] = high | (UInt16(bitPattern: cr[i]) &+ 0x8080) &>> 8
  }
}

/// Looks up the alpha of packed codes.
///
/// Apart from their packing, so that that is made vectors: 0.37 ns a pixel together, 0.67 in one
/// loop.
func lookUp(
  _ packed: [UInt16], in entries: [UInt8], _ run: Range<Int>, into output: inout [UInt8]
) {
  let packed = packed.span
  let entries = entries.span
  var alpha = output.mutableSpan
  precondition(entries.count == 65_536, "a table has an entry for every pair of codes")
  precondition(run.lowerBound >= 0 && run.upperBound <= alpha.count, "run out of range")
  precondition(packed.count >= run.upperBound, "run out of range")
  for i in run {
    // In bounds: the table has as many entries as the index has values.
    alpha[i] = unsafe entries[unchecked: Int(packed[i])]
  }
}
