/// A flat patch of a picture, and how it ends.
struct Patch {
  /// Samples in it.
  var count = 0
  /// Its mean coverage, 0…1, and the standard deviation of that.
  var coverage: Float = 0
  var deviation: Float = 0
  /// Which part of its border leads gently into something much alike.
  var gentleShare: Float = 0
}

/// Sums over the samples of a patch.
struct PatchSums {
  var count = 0
  var coverage = 0
  var coverageSquared = 0
  var border = 0
  var gentle = 0

  /// Adds samples of a row.
  mutating func add(coverage row: SampleRow<UInt8>, _ samples: Range<Int>) {
    var (sum, squares) = (0, 0)
    for x in samples {
      sum &+= Int(row[x])
      squares &+= Int(row[x]) &* Int(row[x])
    }
    count += samples.count
    coverage += sum
    coverageSquared += squares
  }

  /// The patch that they describe.
  var patch: Patch {
    let scale = 1 / Float(max(count, 1))
    let mean = Float(coverage) * scale
    let variance = max(0, Float(coverageSquared) * scale - mean * mean)
    return Patch(
      count: count, coverage: mean / 255, deviation: variance.squareRoot() / 255,
      gentleShare: Float(gentle) / Float(max(border, 1)))
  }
}
