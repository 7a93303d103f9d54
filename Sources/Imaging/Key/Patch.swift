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

  /// Adds a sample.
  mutating func add(coverage: UInt8) {
    count += 1
    self.coverage += Int(coverage)
    coverageSquared += Int(coverage) * Int(coverage)
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
