/// Blurs, and mixes with what was there before.
struct Blur: RowFilter {
  let plan: BlurPlan
  let mix: any BlurMix

  init(_ plan: BlurPlan, mix: any BlurMix = BlurOnly()) {
    self.plan = plan
    self.mix = mix
  }

  func reach(in size: PixelSize) -> RowReach { plan.reach }

  func makeWorker(for size: PixelSize) -> any RowWorker {
    Worker(blur: SeparableBlur(plan, size: size), mix: mix)
  }

  private struct Worker: RowWorker {
    var blur: SeparableBlur
    let mix: any BlurMix

    mutating func makeRow(
      _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
    ) {
      blur.fill(y, from: window)
      mix.makeRow(y, from: window.row(0), and: blur.row, in: window.size, into: &row)
    }
  }
}

/// What a filter makes of a picture and the same picture blurred.
protocol BlurMix: Sendable {
  /// The words of eight pixels, of those as they were and blurred.
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32>

  /// Makes row `y`. Not for filters to implement: it is a requirement so that the loop is made for each
  /// type of mix.
  func makeRow(
    _ y: Int, from sharp: Span<SIMD4<UInt8>>, and blurred: Span<SIMD4<UInt8>>, in size: PixelSize,
    into row: inout MutableSpan<SIMD4<UInt8>>)
}

extension BlurMix {
  func makeRow(
    _ y: Int, from sharp: Span<SIMD4<UInt8>>, and blurred: Span<SIMD4<UInt8>>, in size: PixelSize,
    into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    row.fillBlocks { x in
      words(
        sharp.words(at: x), blurred.words(at: x), at: BlockPlace(x: x, y: y, in: size), in: size)
    }
  }
}

/// The blurred picture.
struct BlurOnly: BlurMix {
  @inline(__always)
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32> { blurred }
}
