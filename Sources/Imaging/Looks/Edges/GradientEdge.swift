/// Draws the gradients of the red channel, opaque.
struct GradientEdge<Kernel: GradientKernel, Tone: EdgeTone>: RowFilter, RowWorker {
  let strength: Float
  let tone: Tone

  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let (above, here, below) = (window.row(-1), window.row(0), window.row(1))
    row.fillBlocks { x in
      let gradient = Gradient(Kernel.self, at: x, above: above, here: here, below: below)
      return ColorBlock(gray: tone.gray(gradient.magnitude * Lanes(strength))).words
    }
  }
}

/// As ``GradientEdge``, with samples other distances away than the next pixels.
struct SpacedGradientEdge<Kernel: GradientKernel, Tone: EdgeTone>: PictureFilter {
  let strength: Float
  let tone: Tone
  /// The distance across as a fraction of the width; `nil` for a pixel.
  let stepAcross: Float?
  /// The distance down as a fraction of the height; `nil` for a pixel.
  let stepDown: Float?

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let across = Lanes(stepAcross ?? 1 / Float(picture.size.width))
    let down = Lanes(stepDown ?? 1 / Float(picture.size.height))
    let (left, right) = (place.u - across, place.u + across)
    let (top, bottom) = (place.v - down, place.v + down)
    let topLeft = picture.sample(u: left, v: top).red
    let bottomRight = picture.sample(u: right, v: bottom).red
    let topRight = picture.sample(u: right, v: top).red
    let bottomLeft = picture.sample(u: left, v: bottom).red
    let beside = picture.sample(u: right, v: place.v).red - picture.sample(u: left, v: place.v).red
    let along = picture.sample(u: place.u, v: bottom).red - picture.sample(u: place.u, v: top).red
    let (fall, rise) = (bottomRight - topLeft, topRight - bottomLeft)
    let (corner, side) = (Lanes(Float(Kernel.corner)), Lanes(Float(Kernel.side)))
    let gradient = Gradient(
      across: (fall + rise) * corner + beside * side, down: (fall - rise) * corner + along * side)
    return ColorBlock(gray: tone.gray(gradient.magnitude * Lanes(strength)))
  }
}

extension ColorBlock {
  /// Opaque greys.
  @inline(__always)
  init(gray: Lanes) { self.init(red: gray, green: gray, blue: gray, alpha: 1) }
}
