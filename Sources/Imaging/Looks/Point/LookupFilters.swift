/// Filters that look colours up in a table, which is a picture.
extension FilterCatalogue {
  static let lookupFilters = [
    FilterDeclaration(
      "lookup", "Maps colours by a table of 64 tiles, such as a photo editor can make.",
      like: "LookupFilter",
      [
        .number(
          "intensity", default: 1, in: 0...1, unit: "fraction",
          "How much of the table's colour is mixed in.")
      ],
      pictures: [tableDescription]
    ) { arguments in
      .point(
        ColorLookup(table: arguments.pictures[0], intensity: arguments.number("intensity")))
    },
    FilterDeclaration(
      "amatorka", "Gives a look after Amatorka, by its table.", like: "AmatorkaFilter",
      pictures: [tableDescription]
    ) { arguments in
      .point(ColorLookup(table: arguments.pictures[0], intensity: 1))
    },
    FilterDeclaration(
      "miss-etikate", "Gives a look after Miss Etikate, by its table.", like: "MissEtikateFilter",
      pictures: [tableDescription]
    ) { arguments in
      .point(ColorLookup(table: arguments.pictures[0], intensity: 1))
    },
  ]

  /// What a recipe names as the table.
  static let tableDescription = "a table of 8 by 8 tiles of 64 by 64 colours"
}

/// Maps colours by a table of 8×8 tiles in reading order, one for each of 64 blues, in which red goes
/// right and green down.
///
/// Samples are bilinear in a tile, from the centre of its first pixel to that of its last, and mixed
/// between the tiles of the two nearest blues.
struct ColorLookup: PointFilter {
  private let cube: ColorCube
  private let intensity: Float

  init(table: RGBAImage, intensity: Float) {
    cube = ColorCube(table: table)
    self.intensity = intensity
  }

  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    cube.withReader { reader in
      PartialLookup(reader: reader, intensity: intensity).apply(to: &block, at: place)
    }
  }

  @unsafe func run(over tile: PointTile) {
    // The cube is held once for the tile, not once for each block.
    cube.withReader { reader in
      if intensity == 1 {
        unsafe tile.run(reader)
      } else {
        unsafe tile.run(PartialLookup(reader: reader, intensity: intensity))
      }
    }
  }
}

/// Mixes the looked up colours with the original ones.
private struct PartialLookup: PointFilter {
  let reader: ColorCube.Reader
  let intensity: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    var found = block
    reader.apply(to: &found, at: place)
    block.red = mix(block.red, found.red, Lanes(intensity))
    block.green = mix(block.green, found.green, Lanes(intensity))
    block.blue = mix(block.blue, found.blue, Lanes(intensity))
  }
}
