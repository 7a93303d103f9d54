/// A filter that draws the gradients of the red channel in grey, opaque.
///
/// It makes rows of rows where the samples are neighbouring pixels, and samples the picture where they
/// are other distances away. A conforming type gives the weights and the grey; the loops are made for
/// each of them.
protocol EdgeDrawing: RowFilter, RowWorker, PictureFilter {
  /// How the samples are weighed.
  associatedtype Kernel: GradientKernel

  /// Where the samples are.
  var taps: EdgeTaps { get }

  /// The grey of an edge of each steepness; it may leave 0…1: who calls clamps.
  func gray(_ steepness: Lanes) -> Lanes
}

/// Where a gradient is sampled, and how strong it is made.
struct EdgeTaps: Sendable {
  /// What the steepness is multiplied with.
  let strength: Float
  /// The distance across as a fraction of the width; `nil` for a pixel.
  let across: Float?
  /// The distance down as a fraction of the height; `nil` for a pixel.
  let down: Float?

  /// Whether the samples are the pixels next to the middle one.
  var areNeighbors: Bool { across == nil && down == nil }
}

extension EdgeDrawing {
  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let rows = RedRows(window)
    row.fillBlocks { x in
      drawing(of: Gradient(Kernel.self, at: x, of: rows)).words
    }
  }

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let across = Lanes(taps.across ?? 1 / Float(picture.size.width))
    let down = Lanes(taps.down ?? 1 / Float(picture.size.height))
    let (left, right) = (place.u - across, place.u + across)
    let (top, bottom) = (place.v - down, place.v + down)
    let fall = picture.sample(u: right, v: bottom).red - picture.sample(u: left, v: top).red
    let rise = picture.sample(u: right, v: top).red - picture.sample(u: left, v: bottom).red
    let beside = picture.sample(u: right, v: place.v).red - picture.sample(u: left, v: place.v).red
    let along = picture.sample(u: place.u, v: bottom).red - picture.sample(u: place.u, v: top).red
    let (corner, side) = (Lanes(Float(Kernel.corner)), Lanes(Float(Kernel.side)))
    return drawing(
      of: Gradient(
        across: (fall + rise) * corner + beside * side,
        down: (fall - rise) * corner + along * side))
  }

  @inline(__always)
  private func drawing(of gradient: Gradient) -> ColorBlock {
    ColorBlock(gray: gray(gradient.magnitude * Lanes(taps.strength)))
  }
}

extension ColorBlock {
  /// Opaque greys.
  @inline(__always)
  init(gray: Lanes) { self.init(red: gray, green: gray, blue: gray, alpha: 1) }
}
