import Imaging

/// The picture of a waveform whose length is not known before its end.
///
/// It begins with short columns. When there are twice as many as the picture has, each two become one:
/// memory is bounded by the picture.
struct WaveformPicture {
  /// The size of the picture in pixels.
  static let size = PixelSize(width: 1600, height: 256)
  /// The colour of the wave; around it the picture is transparent.
  static let color = SIMD4<UInt8>(0x2F, 0x6F, 0xED, 0xFF)

  private var columns: [PeakPair] = []
  private var buckets = PeakBuckets(size: 16)
  private var current: PeakPair?
  private var currentCount = 0
  /// Buckets of a column.
  private var bucketsPerColumn = 1

  /// Takes the next samples of one channel.
  mutating func add(_ samples: Span<Int16>) {
    var pairs: [PeakPair] = []
    buckets.add(samples) { pairs.append($0) }
    for pair in pairs { add(pair) }
  }

  private mutating func add(_ pair: PeakPair) {
    current = current?.union(pair) ?? pair
    currentCount += 1
    guard currentCount == bucketsPerColumn, let column = current else { return }
    columns.append(column)
    (current, currentCount) = (nil, 0)
    guard columns.count == 2 * Self.size.width else { return }
    for index in 0..<Self.size.width {
      columns[index] = columns[2 * index].union(columns[2 * index + 1])
    }
    columns.removeLast(Self.size.width)
    bucketsPerColumn *= 2
  }

  /// Draws what was taken.
  func draw() -> RGBAImage {
    // The last column and the last bucket may be short.
    var buckets = buckets
    var columns = columns
    switch (current, buckets.takeRest()) {
    case (let column?, let rest?): columns.append(column.union(rest))
    case (let last?, nil), (nil, let last?): columns.append(last)
    case (nil, nil): break
    }
    var pixels = [SIMD4<UInt8>](repeating: .zero, count: Self.size.area)
    guard !columns.isEmpty else { return RGBAImage(size: Self.size, pixels: pixels) }
    for x in 0..<Self.size.width {
      let start = x * columns.count / Self.size.width
      let end = max(start + 1, (x + 1) * columns.count / Self.size.width)
      let pair = columns[start..<end].dropFirst().reduce(columns[start]) { $0.union($1) }
      for y in Self.row(of: pair.high)...Self.row(of: pair.low) {
        pixels[y * Self.size.width + x] = Self.color
      }
    }
    return RGBAImage(size: Self.size, pixels: pixels)
  }

  /// The row that shows a value: the highest is the first row.
  private static func row(of value: Int16) -> Int {
    (Int(Int16.max) - Int(value)) * size.height / 65_536
  }
}
