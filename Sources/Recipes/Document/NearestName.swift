/// The name among `names` that `word` was probably meant to be, or `nil` where none is near.
///
/// Near is a third of the word's letters (at least one) inserted, dropped, replaced or swapped with
/// their neighbour; letter case and the choice between `-` and `_` do not count.
func nearestName(to word: String, among names: some Sequence<String>) -> String? {
  let wanted = comparable(word)
  let reach = max(1, wanted.count / 3)
  let ranked = names.map { name in (name: name, distance: editDistance(wanted, comparable(name))) }
  let best = ranked.min { $0.distance < $1.distance }
  return best.flatMap { $0.distance <= reach ? $0.name : nil }
}

/// The end of an error message that offers the nearest name: `; did you mean "threshold"?`.
///
/// It is the list of all names where none is near and they are few, and empty otherwise.
func suggestion(for word: String, among names: [String]) -> String {
  if let name = nearestName(to: word, among: names) { return "; did you mean \(quoted(name))?" }
  return names.count <= 12 ? "; there are \(enumerated(names))" : ""
}

/// A list in words, such as `"png" and "mask"`.
func enumerated(_ names: [String], with conjunction: String = "and") -> String {
  let shown = names.map { quoted($0) }
  guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
  return "\(shown.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

private func comparable(_ word: String) -> [Character] {
  word.prefix(64).lowercased().map { $0 == "_" ? "-" : $0 }
}

/// The optimal string alignment distance (Damerau 1964; no part is edited twice).
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var twoBack = [Int](repeating: 0, count: b.count + 1)
  var oneBack = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      let replaced = oneBack[j] + (a[i] == b[j] ? 0 : 1)
      var distance = min(replaced, oneBack[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        distance = min(distance, twoBack[j - 1] + 1)
      }
      row.append(distance)
    }
    (twoBack, oneBack) = (oneBack, row)
  }
  return oneBack[b.count]
}
