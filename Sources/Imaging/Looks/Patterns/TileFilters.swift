/// Filters that show the picture in few colours or in little pictures.
extension FilterCatalogue {
  static let tileFilters = [
    FilterDeclaration(
      "cga-colorspace", "Shows the picture as an early colour display: coarse, in four colours.",
      like: "CGAColorspaceFilter"
    ) { _ in
      .picture(CGAColorspace())
    },
    FilterDeclaration(
      "mosaic", "Puts the picture together from little ones, chosen by their lightness.",
      like: "MosaicFilter",
      [
        .vector(
          "inputTileSize", default: [0.125, 0.125], in: 0...1, unit: "fractions of the sheet",
          "The width and height of a tile in the sheet."),
        .vector(
          "displayTileSize", default: [0.025, 0.025], in: 0...1, unit: "fractions of the picture",
          "The width and height of a tile as it is shown."),
        .number(
          "numTiles", default: 64, from: 1, unit: "tiles",
          "How many tiles the sheet has, lightest first, row by row."),
        .flag(
          "colorOn", default: true, unit: "0 or 1", "Whether tiles take on the picture's colours."),
      ],
      pictures: [sheetDescription]
    ) { arguments in
      let (sheetTile, shownTile) = (
        arguments.numbers("inputTileSize"), arguments.numbers("displayTileSize")
      )
      return .picture(
        Mosaic(
          sheet: arguments.pictures[0], sheetTile: SIMD2(sheetTile[0], sheetTile[1]),
          shownTile: SIMD2(shownTile[0], shownTile[1]), count: arguments.number("numTiles"),
          isColored: arguments.flag("colorOn")))
    },
  ]

  /// What a recipe names as the tiles.
  static let sheetDescription = "the sheet of tiles"
}

/// Shows, in cells of a 200th of the width and a 320th of the height, the nearest of four colours.
struct CGAColorspace: PictureFilter {
  func repeatsRowAbove(_ y: Int, in size: PixelSize) -> Bool {
    guard y > 0 else { return false }
    let (this, above) = (BlockPlace(x: 0, y: y, in: size), BlockPlace(x: 0, y: y - 1, in: size))
    return Self.corner(this).v.values[0] == Self.corner(above).v.values[0]
  }

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let corner = Self.corner(place)
    let color = picture.sample(u: corner.u, v: corner.v)
    // The colours are opaque, so that alpha counts for all alike. The first of equals wins.
    var best = ColorBlock(SIMD4(0, 0, 0, 1))
    var least = Self.squareDistance(color, best)
    @inline(__always) func consider(_ candidate: SIMD4<Float>) {
      let other = ColorBlock(candidate)
      let distance = Self.squareDistance(color, other)
      let isNearer = distance < least
      least = select(isNearer, distance, least)
      best.red = select(isNearer, other.red, best.red)
      best.green = select(isNearer, other.green, best.green)
      best.blue = select(isNearer, other.blue, best.blue)
    }
    consider(SIMD4(1, 1, 1, 1))
    consider(SIMD4(1 / 3, 1, 1, 1))
    consider(SIMD4(1, 1 / 3, 1, 1))
    return best
  }

  /// The top left corners of the cells that places lie in.
  @inline(__always)
  private static func corner(_ place: BlockPlace) -> (u: Lanes, v: Lanes) {
    let (width, height): (Lanes, Lanes) = (1 / 200, 1 / 320)
    return (
      place.u - (place.u - width * (place.u / width).floor),
      place.v - (place.v - height * (place.v / height).floor)
    )
  }

  @inline(__always)
  private static func squareDistance(_ a: ColorBlock, _ b: ColorBlock) -> Lanes {
    let (red, green, blue) = (a.red - b.red, a.green - b.green, a.blue - b.blue)
    return red * red + green * green + blue * blue
  }
}

/// Shows in each cell the tile of a sheet whose number is the darkness at the cell's corner.
struct Mosaic: PictureFilter {
  let sheet: RGBAImage
  let sheetTile: SIMD2<Float>
  let shownTile: SIMD2<Float>
  let count: Float
  let isColored: Bool

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let sheet = sheet
    return color(at: place, of: picture, tiles: PictureSampler(sheet))
  }

  func makeRow(
    _ y: Int, from picture: borrowing PictureSampler, into row: inout MutableSpan<SIMD4<UInt8>>
  ) {
    let sheet = sheet
    let tiles = PictureSampler(sheet)
    row.fillBlocks { x in
      color(at: BlockPlace(x: x, y: y, in: picture.size), of: picture, tiles: tiles).words
    }
  }

  @inline(__always)
  private func color(
    at place: BlockPlace, of picture: borrowing PictureSampler, tiles: borrowing PictureSampler
  ) -> ColorBlock {
    @inline(__always) func remainder(_ x: Lanes, _ y: Lanes) -> Lanes { x - y * (x / y).floor }
    let across = remainder(place.u, Lanes(shownTile.x))
    let down = remainder(place.v, Lanes(shownTile.y))
    let tint = picture.sample(u: place.u - across, v: place.v - down)
    let darkness = 1 - (0.299 * tint.red + 0.587 * tint.green + 0.114 * tint.blue)
    let step = Lanes(1 / count)
    let number = (darkness - remainder(darkness, step)) / step
    let perRow = Lanes(1 / sheetTile.x)
    let (column, line) = (remainder(number, perRow), (number / perRow).floor)
    let tile = tiles.sample(
      u: column * Lanes(sheetTile.x) + across * Lanes(sheetTile.x / shownTile.x),
      v: line * Lanes(sheetTile.y) + down * Lanes(sheetTile.y / shownTile.y))
    guard isColored else { return tile }
    return ColorBlock(
      red: tile.red * tint.red, green: tile.green * tint.green, blue: tile.blue * tint.blue,
      alpha: tile.alpha * tint.alpha)
  }
}
