/// The grey that stands for the steepness of an edge.
protocol EdgeTone: Sendable {
  /// The grey of each steepness; it may leave 0…1: who calls clamps.
  func gray(_ steepness: Lanes) -> Lanes
}

/// Bright edges on black.
struct BrightEdges: EdgeTone {
  @inline(__always)
  func gray(_ steepness: Lanes) -> Lanes { steepness }
}

/// Dark edges on white.
struct DarkEdges: EdgeTone {
  @inline(__always)
  func gray(_ steepness: Lanes) -> Lanes { 1 - steepness }
}

/// White edges on black, nothing between.
struct WhiteEdges: EdgeTone {
  let threshold: Float

  @inline(__always)
  func gray(_ steepness: Lanes) -> Lanes { step(Lanes(threshold), steepness) }
}

/// Black edges on white, nothing between.
struct BlackEdges: EdgeTone {
  let threshold: Float

  @inline(__always)
  func gray(_ steepness: Lanes) -> Lanes { 1 - step(Lanes(threshold), steepness) }
}
