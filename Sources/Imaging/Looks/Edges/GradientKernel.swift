/// The weights of a gradient: right column minus left column across, bottom row minus top row down.
protocol GradientKernel: Sendable {
  /// The weight of the corners of the 3×3 pixels.
  static var corner: Int32 { get }
  /// The weight of the pixels beside, above and below the middle one.
  static var side: Int32 { get }
}

/// Sobel's weights (Sobel and Feldman 1968).
enum SobelKernel: GradientKernel {
  static var corner: Int32 { 1 }
  static var side: Int32 { 2 }
}

/// Prewitt's weights (1970).
enum PrewittKernel: GradientKernel {
  static var corner: Int32 { 1 }
  static var side: Int32 { 1 }
}

/// The difference of the two neighbours alone.
enum CrossKernel: GradientKernel {
  static var corner: Int32 { 0 }
  static var side: Int32 { 1 }
}

/// How fast the red channel of eight pixels rises to the right and downwards; black to white is 1.
struct Gradient {
  let across: Lanes
  let down: Lanes

  /// The gradient at column `x` of a picture.
  @inline(__always)
  init<Kernel: GradientKernel>(_ kernel: Kernel.Type, at x: Int, of rows: borrowing RedRows) {
    precondition(x >= 0 && x < rows.width, "a column out of range")
    // In bounds by the check: a window's rows end with room for a block.
    let (topLeft, top, topRight, left, right, bottomLeft, bottom, bottomRight) = unsafe (
      rows.above(x), rows.above(x &+ 1), rows.above(x &+ 2), rows.here(x), rows.here(x &+ 2),
      rows.below(x), rows.below(x &+ 1), rows.below(x &+ 2)
    )
    let (corner, side) = (SIMD8(repeating: Kernel.corner), SIMD8(repeating: Kernel.side))
    // The diagonals are in both.
    let (fall, rise) = (bottomRight &- topLeft, topRight &- bottomLeft)
    across = Lanes(codes: (fall &+ rise) &* corner &+ (right &- left) &* side)
    down = Lanes(codes: (fall &- rise) &* corner &+ (bottom &- top) &* side)
  }

  @inline(__always)
  init(across: Lanes, down: Lanes) {
    self.across = across
    self.down = down
  }

  /// How steep it is.
  var magnitude: Lanes {
    @inline(__always) get { (across * across + down * down).squareRoot }
  }
}

/// The red channel of a row and of those above and below it, read by blocks without checks.
@safe
struct RedRows: ~Escapable {
  /// The width of the picture.
  let width: Int
  private let rows: RawSpan
  private let starts: (above: Int, here: Int, below: Int)

  /// The rows in the middle of a window that reaches a pixel around.
  @_lifetime(copy window)
  init(_ window: borrowing RowWindow) {
    precondition(window.reach == RowReach(columns: 1, rows: 1), "a window of another reach")
    width = window.size.width
    rows = unsafe window.allRows.bytes
    starts = (
      4 * window.start(ofRow: -1), 4 * window.start(ofRow: 0), 4 * window.start(ofRow: 1)
    )
  }

  /// The codes of the row above, from a column on that is counted from 1.
  @unsafe @inline(__always)
  func above(_ x: Int) -> SIMD8<Int32> { unsafe reds(at: starts.above &+ 4 &* x) }

  /// The codes of the row itself.
  @unsafe @inline(__always)
  func here(_ x: Int) -> SIMD8<Int32> { unsafe reds(at: starts.here &+ 4 &* x) }

  /// The codes of the row below.
  @unsafe @inline(__always)
  func below(_ x: Int) -> SIMD8<Int32> { unsafe reds(at: starts.below &+ 4 &* x) }

  @unsafe @inline(__always)
  private func reds(at place: Int) -> SIMD8<Int32> {
    let words = unsafe rows.pixelWords(at: place) & SIMD8(repeating: 0xff)
    return unsafe unsafeBitCast(words, to: SIMD8<Int32>.self)
  }
}

extension Span<SIMD4<UInt8>> {
  /// The red channel's codes of the eight pixels from `index` on.
  @inline(__always)
  func reds(at index: Int) -> SIMD8<Int32> {
    unsafe unsafeBitCast(words(at: index) & SIMD8(repeating: 0xff), to: SIMD8<Int32>.self)
  }
}

extension Lanes {
  /// Channel values of whole numbers of codes.
  @inline(__always)
  init(codes: SIMD8<Int32>) { self = Lanes(SIMD8<Float>(codes)) * (1 / 255) }
}
