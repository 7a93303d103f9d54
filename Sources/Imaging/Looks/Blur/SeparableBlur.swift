/// Blurs the rows of one picture: down first, then along, with 8-bit pixels between as in GPUImage.
///
/// All four channels are blurred alike. A row filter that needs blurred pixels asks for the reach of
/// the plan, calls `fill` once for each row in order, and reads `row`.
struct SeparableBlur {
  private let lineBlur: any LineBlur
  private let width: Int
  /// The row blurred downwards only, with repeats of its ends.
  private var line: [SIMD4<UInt8>]
  /// The index of the first pixel in the line.
  private let margin: Int
  /// The row blurred both ways, filled up to whole blocks.
  private var blurred: [SIMD4<UInt8>]

  /// Takes the memory for pictures of a size.
  init(_ plan: BlurPlan, size: PixelSize) {
    width = size.width
    lineBlur = plan.makeLineBlur(width: size.width)
    let blocks = (size.width + ColorBlock.count - 1) / ColorBlock.count
    margin = 2 * plan.radius + 3
    blurred = [SIMD4<UInt8>](repeating: .zero, count: blocks * ColorBlock.count)
    line = [SIMD4<UInt8>](repeating: .zero, count: margin + blurred.count + plan.radius + 2)
  }

  /// Blurs row `y`, around which the window is.
  mutating func fill(_ y: Int, from window: borrowing RowWindow) {
    let lineBlur = lineBlur
    do {
      var row = blurred.mutableSpan
      lineBlur.makeRowDown(y, from: window, into: &row)
    }
    layOutLine()
    let (line, margin) = (line, margin)
    var row = blurred.mutableSpan
    lineBlur.makeRowAlong(line.span, margin: margin, into: &row)
  }

  /// The blurred row, filled up to whole blocks.
  var row: Span<SIMD4<UInt8>> {
    @_lifetime(borrow self) get { blurred.span }
  }

  /// Puts what has been blurred downwards in the line, between repeats of its ends.
  private mutating func layOutLine() {
    let (blurred, margin, width) = (blurred, margin, width)
    let row = blurred.span
    let (first, last) = (row[0], row[width - 1])
    var line = line.mutableSpan
    precondition(width <= row.count && margin + width <= line.count, "a line too short")
    for x in 0..<margin { line[x] = first }
    // In bounds by the precondition.
    for x in 0..<width { unsafe line[unchecked: margin &+ x] = row[unchecked: x] }
    for x in margin + width..<line.count { line[x] = last }
  }
}
