/// Guesses what was meant by a misspelt word.
public enum Suggestion {
  /// The candidate that is nearest to `word`, or `nil` when none is near.
  ///
  /// Near is what a third of the word's letters wrong or swapped makes, or what it begins. Case does
  /// not count. Of equally near candidates it is the first.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    let typed = Array(word.lowercased())
    let bound = max(1, typed.count / 3)
    let near = candidates.compactMap { candidate -> (candidate: String, distance: Int)? in
      let letters = Array(candidate.lowercased())
      let distance = distance(typed, letters)
      if distance <= bound, distance < letters.count { return (candidate, distance) }
      // A beginning is worse than any misspelling.
      return typed.count >= 2 && letters.starts(with: typed) ? (candidate, .max) : nil
    }
    return near.min { $0.distance < $1.distance }?.candidate
  }

  /// How many letters must be put in, taken out, changed or swapped with the next one.
  ///
  /// Optimal string alignment: Damerau, "A technique for computer detection and correction of
  /// spelling errors", Communications of the ACM 7 (1964); no part is changed twice.
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        let change = last[j] + (a[i] == b[j] ? 0 : 1)
        var least = min(change, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
