// Canny's edge detector (1986) as GPUImage has it, after the luminance and a Gaussian blur: three
// passes with 8-bit pixels between them.

/// Puts the steepness of the red channel into red, and its direction across and down into green and
/// blue: 0 for −1, ½ for none, 1 for 1.
///
/// Each part of the direction, of length 1, is rounded up from 0.382684, the sine of 22.5°.
struct CannyGradient: RowFilter, RowWorker {
  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let rows = RedRows(window)
    row.fillBlocks { x in
      let gradient = Gradient(SobelKernel.self, at: x, of: rows)
      let steepness = gradient.magnitude
      let least = steepness * 0.382684
      @inline(__always) func direction(_ part: Lanes) -> Lanes {
        select(part.magnitude < least, 0.5, select(part < 0, 0, 1))
      }
      return ColorBlock(
        red: steepness, green: direction(gradient.across), blue: direction(gradient.down), alpha: 1
      ).words
    }
  }
}

/// Keeps a steepness that is no less than those before and behind it in its direction, by the smooth
/// step from `low` to `high`; all else becomes black.
///
/// A direction of ½ is stored as 128/255, so that the samples lie a trifle off the pixel's row or
/// column, as in the original.
struct CannyThinning: RowFilter, RowWorker {
  let low: Float
  let high: Float

  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let (above, here, below) = (window.row(-1), window.row(0), window.row(1))
    row.fillBlocks { x in
      @inline(__always) func reds(_ row: Span<SIMD4<UInt8>>) -> (Lanes, Lanes, Lanes) {
        (
          Lanes(codes: row.reds(at: x)), Lanes(codes: row.reds(at: x + 1)),
          Lanes(codes: row.reds(at: x + 2))
        )
      }
      let (top, middle, bottom) = (reds(above), reds(here), reds(below))
      let pixel = ColorBlock(words: here.words(at: x + 1))
      let across = Taps(2 * pixel.green - 1)
      let down = Taps(2 * pixel.blue - 1)
      let ahead = down.sum(across.sum(top), across.sum(middle), across.sum(bottom))
      let behind = down.sum(
        across.mirroredSum(bottom), across.mirroredSum(middle), across.mirroredSum(top))
      let isRidge = (pixel.red >= ahead) & (pixel.red >= behind)
      let strength = smoothstep(Lanes(low), Lanes(high), pixel.red)
      return ColorBlock(gray: select(isRidge, strength, 0)).words
    }
  }

  /// The weights of the three pixels around a place at most one pixel away from the middle.
  private struct Taps {
    let before: Lanes
    let middle: Lanes
    let after: Lanes

    @inline(__always)
    init(_ place: Lanes) {
      before = maximum(-place, 0)
      after = maximum(place, 0)
      middle = 1 - before - after
    }

    @inline(__always)
    func sum(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes { a * before + b * middle + c * after }

    @inline(__always)
    func sum(_ row: (Lanes, Lanes, Lanes)) -> Lanes { sum(row.0, row.1, row.2) }

    @inline(__always)
    func mirroredSum(_ row: (Lanes, Lanes, Lanes)) -> Lanes { sum(row.2, row.1, row.0) }
  }
}

/// Makes white what is not black itself and has enough around it, the rest black.
struct CannyInclusion: RowFilter, RowWorker {
  func reach(in size: PixelSize) -> RowReach { RowReach(columns: 1, rows: 1) }

  func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let (above, here, below) = (window.row(-1), window.row(0), window.row(1))
    row.fillBlocks { x in
      @inline(__always) func sum(_ row: Span<SIMD4<UInt8>>) -> SIMD8<Int32> {
        row.reds(at: x) &+ row.reds(at: x + 1) &+ row.reds(at: x + 2)
      }
      let sums = sum(above) &+ sum(here) &+ sum(below)
      let middle = here.reds(at: x + 1)
      // The least codes that reach 1.5 and 0.01. The sign of a difference fills its lane.
      let isDark = (sums &- SIMD8(repeating: 383)) | (middle &- SIMD8(repeating: 3))
      let white = ~(isDark &>> 31)
      return unsafe unsafeBitCast(white, to: SIMD8<UInt32>.self) | SIMD8(repeating: 0xff00_0000)
    }
  }
}
