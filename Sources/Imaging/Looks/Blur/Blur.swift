/// What a filter makes of a picture and the same picture blurred.
protocol BlurMix: Sendable {
  /// The words of eight pixels, of those as they were and blurred.
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32>
}

/// Blurs, and mixes with what was there before.
struct Blur<Mix: BlurMix>: RowFilter {
  let plan: BlurPlan
  let mix: Mix

  init(_ plan: BlurPlan, mix: Mix) {
    self.plan = plan
    self.mix = mix
  }

  func reach(in size: PixelSize) -> RowReach { plan.reach }

  func makeWorker(for size: PixelSize) -> any RowWorker {
    Worker(blur: SeparableBlur(plan, size: size), mix: mix)
  }

  private struct Worker: RowWorker {
    var blur: SeparableBlur
    let mix: Mix

    mutating func makeRow(
      _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
    ) {
      blur.fill(y, from: window)
      let (size, sharp, blurred) = (window.size, window.row(0), blur.row)
      row.fillBlocks { x in
        mix.words(
          sharp.words(at: x), blurred.words(at: x), at: BlockPlace(x: x, y: y, in: size), in: size)
      }
    }
  }
}

extension Blur where Mix == BlurOnly {
  /// Blurs.
  init(_ plan: BlurPlan) { self.init(plan, mix: BlurOnly()) }
}

/// The blurred picture.
struct BlurOnly: BlurMix {
  @inline(__always)
  func words(
    _ sharp: SIMD8<UInt32>, _ blurred: SIMD8<UInt32>, at place: BlockPlace, in size: PixelSize
  ) -> SIMD8<UInt32> { blurred }
}
