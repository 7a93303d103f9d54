/// Sobel's gradients, bright on black.
struct SobelEdges: EdgeDrawing {
  typealias Kernel = SobelKernel
  let taps: EdgeTaps

  @inline(__always)
  func gray(_ steepness: Lanes) -> Lanes { steepness }
}

/// Prewitt's gradients, bright on black.
struct PrewittEdges: EdgeDrawing {
  typealias Kernel = PrewittKernel
  let taps: EdgeTaps

  @inline(__always)
  func gray(_ steepness: Lanes) -> Lanes { steepness }
}

/// White on black, where the difference of the neighbours is great enough.
struct WhiteEdges: EdgeDrawing {
  typealias Kernel = CrossKernel
  let taps: EdgeTaps
  let threshold: Float

  @inline(__always)
  func gray(_ steepness: Lanes) -> Lanes { step(Lanes(threshold), steepness) }
}

/// Sobel's gradients, dark on white.
struct PencilEdges: EdgeDrawing {
  typealias Kernel = SobelKernel
  let taps: EdgeTaps

  @inline(__always)
  func gray(_ steepness: Lanes) -> Lanes { 1 - steepness }
}

/// Black on white, where Sobel's gradient is great enough.
struct InkEdges: EdgeDrawing {
  typealias Kernel = SobelKernel
  let taps: EdgeTaps
  let threshold: Float

  @inline(__always)
  func gray(_ steepness: Lanes) -> Lanes { 1 - step(Lanes(threshold), steepness) }
}
