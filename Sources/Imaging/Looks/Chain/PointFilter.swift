/// A filter that maps each pixel by itself, by its colour and its place.
///
/// A conforming type gives the arithmetic of a block of pixels. The compiler makes the loops of
/// ``PointTile`` from it, with the arithmetic in registers between reading and writing.
protocol PointFilter: Sendable {
  /// Whether the alpha of the result may be another than that of the block.
  static var changesAlpha: Bool { get }

  /// Maps the block's pixels in place.
  ///
  /// Channels come in as 0…1 and may leave that range: who calls clamps.
  func apply(to block: inout ColorBlock, at place: BlockPlace)

  /// Runs the filter over a tile. Not for filters to implement: it is a requirement so that the
  /// loops are made for each type of filter.
  @unsafe func run(over tile: PointTile)
}

extension PointFilter {
  static var changesAlpha: Bool { false }

  @unsafe func run(over tile: PointTile) { unsafe tile.run(self) }
}
