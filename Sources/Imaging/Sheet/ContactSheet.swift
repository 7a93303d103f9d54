/// Labelled pictures side by side on a dark ground.
public struct ContactSheet {
  /// How the pictures are set.
  public struct Style: Sendable {
    /// The most that a picture is wide and high.
    public var tile: PixelSize
    /// Pictures in a row.
    public var columns: Int

    /// Sets pictures in rows of `columns`.
    public init(tile: PixelSize, columns: Int) {
      precondition(columns > 0, "a sheet has at least one column")
      self.tile = tile
      self.columns = columns
    }

    /// Between pictures and around them, in pixels.
    var margin: Int { max(4, tile.width / 24) }
    /// Pixels in a unit of the font.
    var scale: Float { max(1, Float(tile.width) / 240) }
    /// The room for a label under a picture.
    var labelHeight: Int {
      Int((StrokeFont.ascent + StrokeFont.depth) * scale) + margin
    }
  }

  private static let ground = SIMD4<UInt8>(24, 25, 28, 255)
  private static let ink = SIMD3<Float>(228, 228, 224)

  private let style: Style
  private var image: RGBAImage
  private var count = 0

  /// A sheet for so many pictures.
  public init(count: Int, style: Style) {
    precondition(count > 0, "a sheet has at least one picture")
    self.style = style
    let columns = min(style.columns, count)
    let rows = (count + columns - 1) / columns
    image = RGBAImage(
      size: PixelSize(
        width: columns * (style.tile.width + style.margin) + style.margin,
        height: rows * (style.tile.height + style.margin + style.labelHeight) + style.margin),
      filledWith: Self.ground)
  }

  /// The sheet so far.
  public var picture: RGBAImage { image }

  /// Sets the next picture in the middle of its place, with its label under it.
  ///
  /// What is larger than a place is cut off; transparent pixels show the ground.
  public mutating func add(_ picture: RGBAImage, label: String) {
    let (row, column) = count.quotientAndRemainder(dividingBy: style.columns)
    count += 1
    let left = style.margin + column * (style.tile.width + style.margin)
    let top = style.margin + row * (style.tile.height + style.margin + style.labelHeight)
    let shown = PixelSize(
      width: min(picture.width, style.tile.width), height: min(picture.height, style.tile.height))
    let x = left + (style.tile.width - shown.width) / 2
    let y = top + (style.tile.height - shown.height) / 2
    for row in 0..<shown.height {
      for column in 0..<shown.width where x + column < image.width && y + row < image.height {
        image[x + column, y + row] = Self.overGround(picture[column, row])
      }
    }
    write(
      label, middle: Float(left) + Float(style.tile.width) / 2,
      top: Float(top + style.tile.height + style.margin / 2))
  }

  private static func overGround(_ pixel: SIMD4<UInt8>) -> SIMD4<UInt8> {
    let alpha = Int(pixel.w)
    func channel(_ index: Int) -> UInt8 {
      UInt8((Int(pixel[index]) * alpha + Int(ground[index]) * (255 - alpha) + 127) / 255)
    }
    return SIMD4(channel(0), channel(1), channel(2), 255)
  }

  private mutating func write(_ text: String, middle: Float, top: Float) {
    let layout = StrokeFont.layOut(text)
    let scale = min(style.scale, Float(style.tile.width) / max(layout.width, 1))
    let origin = SIMD2(middle - layout.width * scale / 2, top)
    for segment in layout.segments {
      stroke(segment.from * scale + origin, segment.to * scale + origin, width: 1.15 * scale)
    }
  }

  /// Draws a line with round ends; what pixels it covers in part is mixed in.
  private mutating func stroke(_ a: SIMD2<Float>, _ b: SIMD2<Float>, width: Float) {
    let reach = width / 2 + 1
    let line = b - a
    let square = max((line * line).sum(), 1e-6)
    let columns = Int(max(0, min(a.x, b.x) - reach))...Int(max(a.x, b.x) + reach)
    let rows = Int(max(0, min(a.y, b.y) - reach))...Int(max(a.y, b.y) + reach)
    for y in rows where y < image.height {
      for x in columns where x < image.width {
        let point = SIMD2(Float(x) + 0.5, Float(y) + 0.5) - a
        let place = min(max((point * line).sum() / square, 0), 1)
        let offset = point - line * place
        let coverage = min(max(width / 2 + 0.5 - (offset * offset).sum().squareRoot(), 0), 1)
        if coverage > 0 { lighten(x, y, by: coverage) }
      }
    }
  }

  /// Mixes the ink in, no more of it than the strokes so far have left out.
  private mutating func lighten(_ x: Int, _ y: Int, by coverage: Float) {
    let pixel = image[x, y]
    func channel(_ index: Int) -> UInt8 {
      let ground = Float(Self.ground[index])
      return max(pixel[index], UInt8(ground + (Self.ink[index] - ground) * coverage))
    }
    image[x, y] = SIMD4(channel(0), channel(1), channel(2), 255)
  }
}
