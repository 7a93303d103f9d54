/// Filters that look colours up in a table, which is a picture.
extension FilterCatalogue {
  static let lookupFilters = [
    FilterDeclaration(
      "lookup", "Maps colours by a table of 64 tiles, such as a photo editor can make.",
      like: "LookupFilter", [.number("intensity", default: 1, in: 0...1, unit: "fraction")],
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
  let table: RGBAImage
  let intensity: Float

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    let sampler = PictureSampler(table)
    // The middle of a pixel from the edge of a tile, in a table of 512 pixels.
    let margin: Lanes = 0.0009765625
    let u = margin + 0.123046875 * block.red
    let v = margin + 0.123046875 * block.green
    @inline(__always) func tile(_ index: Lanes) -> ColorBlock {
      let row = (index * 0.125).floor
      return sampler.sample(u: (index - 8 * row) * 0.125 + u, v: row * 0.125 + v)
    }
    let blue = 63 * block.blue
    let below = blue.floor
    let share = blue - below
    let low = tile(below)
    let high = tile(select(share > 0, below + 1, below))
    block.red = mix(block.red, mix(low.red, high.red, share), Lanes(intensity))
    block.green = mix(block.green, mix(low.green, high.green, share), Lanes(intensity))
    block.blue = mix(block.blue, mix(low.blue, high.blue, share), Lanes(intensity))
  }
}
