/// Gives each pixel the mean of that quarter around it which varies least, opaque.
///
/// After Kuwahara, Hachimura, Eiho and Kinoshita (1976).
///
/// The quarters reach `radius` taps up or down, left or right, and share the pixel's own row and
/// column. Taps are bilinear samples 1/768 of the width and 1/1024 of the height apart, whatever the
/// size of the picture, as in the original. How much a quarter varies is the sum over the channels of
/// mean(c²) − mean(c)²; of equals the first is taken, from top left clockwise.
struct Kuwahara: RowFilter {
  let radius: Int

  func reach(in size: PixelSize) -> RowReach {
    RowReach(columns: taps(across: size).reach, rows: taps(down: size).reach)
  }

  func makeWorker(for size: PixelSize) -> any RowWorker {
    KuwaharaWorker(across: taps(across: size), down: taps(down: size), width: size.width)
  }

  private func taps(across size: PixelSize) -> KuwaharaTaps {
    KuwaharaTaps(radius: radius, spacing: Float(size.width) / 768)
  }

  private func taps(down size: PixelSize) -> KuwaharaTaps {
    KuwaharaTaps(radius: radius, spacing: Float(size.height) / 1024)
  }
}

/// Samples along an axis, some pixels apart.
struct KuwaharaTaps {
  /// A sample between two pixels.
  struct Tap {
    /// The first pixel, counted from the one in the middle.
    let place: Int
    /// The share of the pixel behind it.
    let share: Float
  }

  /// The samples from one end to the other.
  let taps: [Tap]
  /// How far away the farthest pixel is that has a share.
  let reach: Int

  init(radius: Int, spacing: Float) {
    taps = (-radius...radius).map { index in
      let position = Float(index) * spacing
      let place = position.rounded(.down)
      // Shares that differ by less count as the same: that is below a tenth of a code.
      let share = ((position - place) * 4096).rounded() / 4096
      return share < 1 ? Tap(place: Int(place), share: share) : Tap(place: Int(place) + 1, share: 0)
    }
    reach = taps.reduce(0) { max($0, abs($1.place), abs($1.place + 1)) }
  }
}
