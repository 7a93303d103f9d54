/// All still filters there are.
public enum FilterCatalogue {
  /// The declarations in alphabetical order.
  public static let all: [FilterDeclaration] =
    families.flatMap(\.self).sorted { $0.name < $1.name }

  /// A family of filters is an extension of the catalogue in a file of its own.
  private static let families = [
    toneFilters, colorFilters, luminanceFilters, toningFilters, placeFilters, lookupFilters,
    keyFilters, blurFilters, focusFilters, motionFilters, bilateralFilters, morphologyFilters,
    cellFilters, warpFilters, sphereFilters, framingFilters, patternFilters, tileFilters,
    sharpenFilters, kernelFilters, blendFilters, edgeFilters, styliseFilters,
    equalizationFilters,
  ]

  private static let byName = [String: FilterDeclaration](
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The filter of a name.
  public static func filter(named name: String) -> FilterDeclaration? { byName[name] }

  /// The name of a filter that `name` may have been meant for.
  public static func nearestName(to name: String) -> String? {
    nearest(to: name, among: all.map(\.name))
  }

  /// The candidate with the fewest edits to `name`, if they are few enough to be a slip.
  ///
  /// Case and the choice of hyphen or underscore count for nothing.
  static func nearest(to name: String, among candidates: [String]) -> String? {
    func folded(_ text: String) -> [UInt8] {
      text.lowercased().utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    }
    let name = folded(name)
    let scored = candidates.map { (name: $0, edits: editDistance(name, folded($0))) }
    guard let best = scored.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= max(2, name.count / 3) ? best.name : nil
  }

  /// The number of insertions, deletions and replacements that make `a` into `b` (Levenshtein).
  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let replaced = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
