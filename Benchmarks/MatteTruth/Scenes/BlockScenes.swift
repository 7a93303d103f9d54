/// Pixel art: hard blocks on the grid, in sizes that fit the blocks of 4:2:0 and in some that do not.
extension TruthScene {
  static let pixelArt = TruthScene(
    "pixel-art", "a sprite of blocks of 16 px, moved in whole pixels"
  ) {
    layer, time in
    paintInvader(on: &layer, seed: 3, x: 208 + step(time, 40), y: 112, block: 16)
  }

  static let oddBlocks = TruthScene("odd-blocks", "sprites of blocks of 3, 5, 7 and 11 px") {
    layer, time in
    let move = step(time, 20)
    paintInvader(on: &layer, seed: 11, x: 31 + move, y: 37, block: 11)
    paintInvader(on: &layer, seed: 12, x: 263 - move, y: 51, block: 7)
    paintInvader(on: &layer, seed: 13, x: 423, y: 45 + move, block: 5)
    paintInvader(on: &layer, seed: 14, x: 545 + move, y: 61, block: 3)
    paintInvader(on: &layer, seed: 15, x: 71, y: 283 - move, block: 5)
    paintInvader(on: &layer, seed: 16, x: 225 + move, y: 251, block: 7)
    paintInvader(on: &layer, seed: 17, x: 395 - move, y: 235, block: 11)
  }

  /// A whole number of pixels that grows and falls again.
  private static func step(_ time: Float, _ reach: Float) -> Int {
    let phase = time - time.rounded(.down)
    return Int((reach * (1 - abs(2 * phase - 1))).rounded())
  }

  /// A symmetric figure of 14 × 14 blocks, two thirds of them set.
  private static func paintInvader(on layer: inout Layer, seed: Int, x: Int, y: Int, block: Int) {
    let palette: [Color] = [
      Color(0.09, 0.09, 0.14), Color(0.96, 0.92, 0.80), Color(0.86, 0.28, 0.20),
      Color(0.18, 0.62, 0.32), Color(0.22, 0.36, 0.80), Color(0.96, 0.80, 0.28),
    ]
    let (noise, half) = (Noise(seed), 7)
    for row in 0..<2 * half {
      for column in 0..<half where noise.value(column, row) < 0.66 {
        let color = palette[Int(noise.value(column, row + 100) * Float(palette.count))]
        for place in [column, 2 * half - 1 - column] {
          layer.fill(
            .block(x: x + place * block, y: y + row * block, width: block, height: block), color)
        }
      }
    }
  }
}
