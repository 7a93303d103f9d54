/// Makes the rows of a ``Kuwahara`` filter from sums along rows, each of which it makes once.
///
/// A row that lies between two of the picture is needed at several heights above and below the pixels,
/// wherever taps have the same share of the second one. Rows with one share are a band, and of each
/// band those are kept that are still needed.
struct KuwaharaWorker: RowWorker {
  /// The rows between the picture's with one share.
  private struct Band {
    let share: Float
    /// The first and last place of a tap, counted from the pixel.
    let places: ClosedRange<Int>
    /// Where its sums begin, in rows.
    let start: Int
    /// The row to be summed up next.
    var next: Int

    /// Where the sums of a row are, in rows.
    func line(of row: Int) -> Int {
      // Rows above the picture have negative numbers.
      let place = (row - places.lowerBound) % places.count
      return start + (place < 0 ? place + places.count : place)
    }
  }

  private let across: [KuwaharaTaps.Tap]
  private let down: [KuwaharaTaps.Tap]
  private let margin: Int
  private let radius: Int
  private var bands: [Band] = []
  /// The band of each tap down.
  private var bandOfTap: [Int] = []
  /// Where the sums of each tap down are, for the row that is made.
  private var starts: [Int]
  /// Red, green and blue of a row of a band, in codes.
  private var planes: [Float]
  private let planeLength: Int
  /// For each row of each band the sums to the left, then to the right: of red, green and blue and of
  /// all their squares, in codes.
  private var sums: [Float]
  private let sumLength: Int

  init(across: KuwaharaTaps, down: KuwaharaTaps, width: Int) {
    self.across = across.taps
    self.down = down.taps
    margin = across.reach
    radius = down.taps.count / 2
    var start = 0
    for share in Set(down.taps.map(\.share)).sorted() {
      let places = down.taps.filter { $0.share == share }.map(\.place)
      let range = places[0]...places[places.count - 1]
      bands.append(Band(share: share, places: range, start: start, next: range.lowerBound))
      start += range.count
    }
    for tap in down.taps {
      bandOfTap.append(bands.firstIndex { $0.share == tap.share } ?? 0)
    }
    starts = [Int](repeating: 0, count: down.taps.count)
    planeLength = width + 2 * margin + ColorBlock.count
    planes = [Float](repeating: 0, count: 3 * planeLength)
    sumLength = width + ColorBlock.count
    sums = [Float](repeating: 0, count: start * 8 * sumLength)
  }

  mutating func makeRow(
    _ y: Int, from window: borrowing RowWindow, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    for index in bands.indices {
      while bands[index].next <= y + bands[index].places.upperBound {
        let band = bands[index]
        let place = band.next - y
        blend(window.row(place), window.row(band.share > 0 ? place + 1 : place), band.share)
        sum(into: band.line(of: band.next) * 8 * sumLength, width: row.count)
        bands[index].next += 1
      }
    }
    for (index, tap) in down.enumerated() {
      starts[index] = bands[bandOfTap[index]].line(of: y + tap.place) * 8 * sumLength
    }
    let quarters = Quarters(
      sums: sums.span, starts: starts.span, radius: radius, length: sumLength)
    row.fillBlocks { x in quarters.color(at: x).words }
  }

  /// Puts a row between two others into the planes.
  private mutating func blend(
    _ above: Span<SIMD4<UInt8>>, _ below: Span<SIMD4<UInt8>>, _ share: Float
  ) {
    let length = planeLength
    var planes = planes.mutableSpan
    for x in stride(from: 0, through: length - ColorBlock.count, by: ColorBlock.count) {
      let (a, b) = (above.words(at: x), below.words(at: x))
      for channel in 0..<3 {
        let shift = UInt32(truncatingIfNeeded: 8 &* channel)
        let first = Lanes(bytes: a &>> shift)
        let color = first + (Lanes(bytes: b &>> shift) - first) * Lanes(share)
        planes.setLanes(color, at: channel &* length &+ x)
      }
    }
  }

  /// Sums up the planes to both sides of each pixel.
  private mutating func sum(into start: Int, width: Int) {
    let (taps, pixels, planeLength) = (across, planes, planeLength)
    let (across, planes) = (taps.span, pixels.span)
    let (radius, margin, length) = (radius, margin, sumLength)
    var sums = sums.mutableSpan
    for x in stride(from: 0, to: width, by: ColorBlock.count) {
      @inline(__always) func color(_ tap: KuwaharaTaps.Tap) -> ColorSums {
        let place = margin &+ tap.place &+ x
        @inline(__always) func channel(_ index: Int) -> Lanes {
          let first = planes.lanes(at: index &* planeLength &+ place)
          let second = planes.lanes(at: index &* planeLength &+ place &+ 1)
          return first + (second - first) * Lanes(tap.share)
        }
        return ColorSums(red: channel(0), green: channel(1), blue: channel(2))
      }
      let middle = color(across[radius])
      var (left, right) = (middle, middle)
      for index in 0..<radius {
        left.add(color(across[index]))
        right.add(color(across[radius &+ 1 &+ index]))
      }
      left.store(to: &sums, at: start &+ x, length: length)
      right.store(to: &sums, at: start &+ 4 &* length &+ x, length: length)
    }
  }
}

/// Sums of colours in codes, and of the squares of all channels.
private struct ColorSums {
  var red: Lanes
  var green: Lanes
  var blue: Lanes
  var squares: Lanes

  /// The sums of one colour.
  @inline(__always)
  init(red: Lanes, green: Lanes, blue: Lanes) {
    self.red = red
    self.green = green
    self.blue = blue
    squares = red * red + green * green + blue * blue
  }

  /// Reads four planes of floats.
  @inline(__always)
  init(_ planes: Span<Float>, at index: Int, length: Int) {
    red = planes.lanes(at: index)
    green = planes.lanes(at: index &+ length)
    blue = planes.lanes(at: index &+ 2 &* length)
    squares = planes.lanes(at: index &+ 3 &* length)
  }

  @inline(__always)
  mutating func add(_ other: ColorSums) {
    red += other.red
    green += other.green
    blue += other.blue
    squares += other.squares
  }

  /// Writes four planes of floats.
  @inline(__always)
  func store(to planes: inout MutableSpan<Float>, at index: Int, length: Int) {
    planes.setLanes(red, at: index)
    planes.setLanes(green, at: index &+ length)
    planes.setLanes(blue, at: index &+ 2 &* length)
    planes.setLanes(squares, at: index &+ 3 &* length)
  }
}

/// The four quarters around the pixels of a row.
private struct Quarters: ~Escapable {
  let sums: Span<Float>
  /// Where the sums of each tap down begin.
  let starts: Span<Int>
  let radius: Int
  let length: Int

  @_lifetime(copy sums, copy starts)
  init(sums: Span<Float>, starts: Span<Int>, radius: Int, length: Int) {
    self.sums = sums
    self.starts = starts
    self.radius = radius
    self.length = length
  }

  /// The mean of the quarter that varies least.
  @inline(__always)
  func color(at x: Int) -> ColorBlock {
    let (left, right) = (x, x &+ 4 &* length)
    let (up, down) = (0...radius, radius...2 &* radius)
    var best = mean(up, left)
    best.take(mean(up, right))
    best.take(mean(down, right))
    best.take(mean(down, left))
    return ColorBlock(
      red: best.red * (1 / 255), green: best.green * (1 / 255), blue: best.blue * (1 / 255),
      alpha: 1)
  }

  /// The means of some taps down, of sums on one side.
  @inline(__always)
  private func mean(_ taps: ClosedRange<Int>, _ place: Int) -> Mean {
    var sum = ColorSums(sums, at: starts[taps.lowerBound] &+ place, length: length)
    for tap in taps.lowerBound &+ 1...taps.upperBound {
      sum.add(ColorSums(sums, at: starts[tap] &+ place, length: length))
    }
    let scale = Lanes(1 / Float((radius + 1) * (radius + 1)))
    let (red, green, blue) = (sum.red * scale, sum.green * scale, sum.blue * scale)
    let variance = sum.squares * scale - (red * red + green * green + blue * blue)
    return Mean(red: red, green: green, blue: blue, variance: variance.magnitude)
  }

  /// The mean colour of a quarter, and how much the quarter varies.
  private struct Mean {
    var red: Lanes
    var green: Lanes
    var blue: Lanes
    var variance: Lanes

    /// Takes another where that varies less.
    @inline(__always)
    mutating func take(_ other: Mean) {
      let isBetter = other.variance < variance
      red = select(isBetter, other.red, red)
      green = select(isBetter, other.green, green)
      blue = select(isBetter, other.blue, blue)
      variance = select(isBetter, other.variance, variance)
    }
  }
}
