/// The matte of a tile of rows, with the rows around it that its shape and its edges depend on.
struct MatteTile {
  /// Rows above and below a tile whose raw matte is needed.
  let margin: Int
  private let shaper: MatteShaper

  private var width = 0
  /// The picture's rows that are held.
  private var held = 0..<0
  /// The matte of the held rows as the rule gave it, one after the other.
  private var rawRows: [UInt8] = []
  private var shapedRows: [UInt8] = []
  private var scratch: [UInt8] = []

  /// Shapes by the settings.
  init(_ settings: KeySettings) {
    shaper = MatteShaper(settings)
    margin = shaper.reach
  }

  /// Whether the matte is left as the rule gives it.
  var isPlain: Bool { shaper.isIdentity }

  /// Makes room for a tile and returns the rows whose raw matte is to be set.
  mutating func begin(rows tile: Range<Int>, of size: PixelSize) -> Range<Int> {
    width = size.width
    held = max(tile.lowerBound - margin, 0)..<min(tile.upperBound + margin, size.height)
    rawRows.removeAll(keepingCapacity: true)
    rawRows.reserveCapacity(held.count * width)
    return held
  }

  /// Appends the raw matte of the next row that was asked for.
  mutating func append(_ alpha: [UInt8]) {
    precondition(alpha.count == width, "a row must be whole")
    rawRows.append(contentsOf: alpha)
  }

  /// Has the raw matte of all rows that were asked for set at once.
  mutating func fill(_ set: (inout [UInt8]) -> Void) {
    rawRows.resize(to: held.count * width, with: 0)
    set(&rawRows)
  }

  /// Shapes what was appended.
  mutating func shape() {
    precondition(rawRows.count == held.count * width, "all rows must be there")
    guard !shaper.isIdentity else { return }
    shapedRows.removeAll(keepingCapacity: true)
    shapedRows.append(contentsOf: rawRows)
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: rawRows)
    shaper.shape(&shapedRows, scratch: &scratch, width: width)
  }

  /// The shaped matte of the held rows; right in the tile, not in the rows around it.
  var rows: [UInt8] { shaper.isIdentity ? rawRows : shapedRows }

  /// Where row `y` begins in ``rows`` and ``rawRows``.
  func start(ofRow y: Int) -> Int { (y - held.lowerBound) * width }

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
}
