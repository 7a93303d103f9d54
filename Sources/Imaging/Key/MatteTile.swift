/// The matte of a tile of rows with the rows around it that shaping it needs.
struct MatteTile {
  /// Rows above and below the tile whose raw matte decides on the tile's.
  let margin: Int
  private let choke: Float
  private let feather: Float
  private let reach: Int

  private var size = PixelSize(width: 0, height: 0)
  /// The rows that are held.
  private var held = 0..<0
  /// The matte of the held rows, one after the other.
  private(set) var rows: [UInt8] = []
  private var scratch: [UInt8] = []

  /// Shapes by the settings of ``KeySettings``; `reach` rows around the tile are wanted shaped too.
  init(choke: Float, feather: Float, reach: Int) {
    self.choke = choke
    self.feather = max(feather, 0)
    self.reach = reach
    margin = Int(abs(choke).rounded(.up)) + Int(max(feather, 0).rounded(.up)) + reach
  }

  /// Makes room for a tile and returns the rows whose raw matte is needed.
  mutating func begin(rows tile: Range<Int>, of size: PixelSize) -> Range<Int> {
    self.size = size
    held = max(tile.lowerBound - margin, 0)..<min(tile.upperBound + margin, size.height)
    let count = held.count * size.width
    if rows.count < count {
      rows = [UInt8](repeating: 0, count: count)
      scratch = rows
    }
    return held
  }

  /// Where row `y` begins in ``rows``. Shaped rows are right in the tile and `reach` rows around it.
  func start(ofRow y: Int) -> Int { (y - held.lowerBound) * size.width }

  /// Sets the raw matte of a row that was asked for.
  mutating func set(row y: Int, to alpha: [UInt8]) {
    precondition(alpha.count == size.width && held.contains(y), "a row must be whole")
    rows.replaceSubrange(start(ofRow: y)..<start(ofRow: y) + size.width, with: alpha)
  }

  /// Copies rows of the tile out.
  func copy(_ tile: Range<Int>, into alpha: inout MutableSpan<UInt8>) {
    let start = start(ofRow: tile.lowerBound)
    let source = rows.span.extracting(start..<start + alpha.count)
    for i in alpha.indices { alpha[i] = source[i] }
  }

  /// Whether all alpha of a range of ``rows`` is zero.
  func isZero(_ range: Range<Int>) -> Bool {
    let rows = rows.span.extracting(range)
    var any: UInt8 = 0
    for i in rows.indices { any |= rows[i] }
    return any == 0
  }

  /// Chokes, then feathers what was set.
  mutating func shape() {
  }
}
