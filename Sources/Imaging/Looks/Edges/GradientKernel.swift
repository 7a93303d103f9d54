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

  /// The gradient at column `x`, of rows that begin one pixel to the left.
  @inline(__always)
  init<Kernel: GradientKernel>(
    _ kernel: Kernel.Type, at x: Int, above: Span<SIMD4<UInt8>>, here: Span<SIMD4<UInt8>>,
    below: Span<SIMD4<UInt8>>
  ) {
    let (topLeft, top, topRight) = (above.reds(at: x), above.reds(at: x + 1), above.reds(at: x + 2))
    let (left, right) = (here.reds(at: x), here.reds(at: x + 2))
    let (bottomLeft, bottom) = (below.reds(at: x), below.reds(at: x + 1))
    let bottomRight = below.reds(at: x + 2)
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

extension Span<SIMD4<UInt8>> {
  /// The red channel's codes of the eight pixels from `index` on.
  @inline(__always)
  func reds(at index: Int) -> SIMD8<Int32> {
    unsafe unsafeBitCast(words(at: index) & SIMD8(repeating: 0xff), to: SIMD8<Int32>.self)
  }
}

extension Lanes {
  /// Channel values of whole numbers of codes with a magnitude below 2²².
  @inline(__always)
  init(codes: SIMD8<Int32>) {
    // The bits of 1.5·2²³ plus the code.
    self = (Lanes(bits: codes &+ SIMD8(repeating: 0x4b40_0000)) - 12_582_912) * (1 / 255)
  }
}
