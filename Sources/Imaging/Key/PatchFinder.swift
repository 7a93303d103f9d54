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

/// Finds the connected patches whose colour has a share of the screen's.
struct PatchFinder {
  /// What makes samples a patch.
  enum Kind {
    /// They are of one colour.
    case flat
    /// The screen has less than half of them and of all around them, whatever their texture.
    case body
  }

  /// Coverage of a body at least; below it, around one, is the slope of a cloud.
  private static let body: UInt8 = 150
  private let kind: Kind
  /// Coverage that is looked at: less is glass whatever it looks like, more is solid anyway.
  private static let wanted: ClosedRange<UInt8> = 60...250
  /// How much codes may differ within 3 × 3 samples of a patch.
  private static let flat: (chroma: UInt8, luma: UInt8) = (4, 5)
  /// How far outside a border the surroundings are looked at, and how alike they must be for a gentle one.
  private static let (outside, alikeCoverage, alikeLuma) = (6, 31, 12)

  /// Coverage on the slope of a cloud, and how much less than the patch's it is at most.
  private static let (slope, slopeStep): (ClosedRange<UInt8>, Int) = (20...250, 80)

  /// The patch of each sample, −1 for none; before the patches are numbered, a sample's parent.
  private var owner: [Int32] = []

  /// Finds patches of a kind.
  init(_ kind: Kind) { self.kind = kind }

  /// Finds the patches of a picture; `coverage` has an entry for each pair of codes, `Cb·256 + Cr`.
  mutating func find(in planes: HalfPlanes, coverage: [UInt8]) -> [Patch] {
    let size = planes.size
    owner.removeAll(keepingCapacity: true)
    guard size.width >= 3, size.height >= 3 else { return [] }
    var any = false
    for y in 1..<size.height - 1 {
      for x in 1..<size.width - 1 {
        let place = y * size.width + x
        guard Self.wanted.contains(Self.coverage(coverage, planes, place)),
          kind == .flat ? isFlat(planes, place) : isBody(planes, coverage, place)
        else { continue }
        if !any {
          owner.append(contentsOf: repeatElement(-1, count: size.area))
          any = true
        }
        join(place, width: size.width)
      }
    }
    return any ? gather(planes, coverage) : []
  }

  /// Sets the flags of the samples of chosen patches.
  func mark(_ isChosen: [Bool], into flags: inout [UInt8]) {
    for place in owner.indices where owner[place] >= 0 && isChosen[Int(owner[place])] {
      flags[place] = 255
    }
  }

  private static func coverage(_ table: [UInt8], _ planes: HalfPlanes, _ place: Int) -> UInt8 {
    table[Int(planes.cb[place]) << 8 | Int(planes.cr[place])]
  }

  private func isFlat(_ planes: HalfPlanes, _ place: Int) -> Bool {
    let width = planes.size.width
    return spread(planes.cb, place, width) <= Self.flat.chroma
      && spread(planes.cr, place, width) <= Self.flat.chroma
      && spread(planes.luma, place, width) <= Self.flat.luma
  }

  private func isBody(_ planes: HalfPlanes, _ table: [UInt8], _ place: Int) -> Bool {
    let width = planes.size.width
    return [place - width, place, place + width].allSatisfy { row in
      (row - 1...row + 1).allSatisfy { Self.coverage(table, planes, $0) >= Self.body }
    }
  }

  private func spread(_ plane: [UInt8], _ place: Int, _ width: Int) -> UInt8 {
    var (low, high): (UInt8, UInt8) = (255, 0)
    for row in [place - width, place, place + width] {
      for x in row - 1...row + 1 {
        low = min(low, plane[x])
        high = max(high, plane[x])
      }
    }
    return high - low
  }

  /// Makes a sample one patch with those of its neighbours that came before it.
  private mutating func join(_ place: Int, width: Int) {
    owner[place] = Int32(place)
    for before in [place - 1, place - width - 1, place - width, place - width + 1]
    where owner[before] >= 0 {
      let (a, b) = (root(before), root(place))
      if a != b { owner[max(a, b)] = Int32(min(a, b)) }
    }
  }

  private mutating func root(_ place: Int) -> Int {
    var place = place
    while Int(owner[place]) != place {
      owner[place] = owner[Int(owner[place])]
      place = Int(owner[place])
    }
    return place
  }

  /// Numbers the patches and measures them.
  private mutating func gather(_ planes: HalfPlanes, _ coverage: [UInt8]) -> [Patch] {
    var sums: [PatchSums] = []
    // A root is the first of its patch, so its number is known before the others ask for it.
    for place in owner.indices where owner[place] >= 0 {
      let parent = Int(owner[place])
      if parent == place {
        owner[place] = Int32(sums.count)
        sums.append(PatchSums())
      } else {
        owner[place] = owner[parent]
      }
      sums[Int(owner[place])].add(coverage: Self.coverage(coverage, planes, place))
    }
    for place in owner.indices where owner[place] >= 0 {
      measureBorder(at: place, planes, coverage, &sums[Int(owner[place])])
    }
    return sums.map(\.patch)
  }

  private func measureBorder(
    at place: Int, _ planes: HalfPlanes, _ table: [UInt8], _ sums: inout PatchSums
  ) {
    let (width, height) = (planes.size.width, planes.size.height)
    let (x, y) = (place % width, place / width)
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
      // A sample of a patch is never on the picture's own border.
      guard owner[place + dy * width + dx] != owner[place] else { continue }
      let (farX, farY) = (x + dx * Self.outside, y + dy * Self.outside)
      guard farX >= 0, farX < width, farY >= 0, farY < height else { continue }
      let far = farY * width + farX
      guard owner[far] != owner[place] else { continue }
      sums.border += 1
      let there = Self.coverage(table, planes, far)
      let step = abs(Int(there) - Int(Self.coverage(table, planes, place)))
      let isAlike =
        step < Self.alikeCoverage
        && abs(Int(planes.luma[far]) - Int(planes.luma[place])) < Self.alikeLuma
      // Neither screen nor solid nor flat itself, and not far off: the slope of a cloud.
      let isSlope = owner[far] < 0 && Self.slope.contains(there) && step < Self.slopeStep
      let isGentle =
        kind == .flat ? isAlike || isSlope : Self.slope.contains(there) && there < Self.body
      if isGentle { sums.gentle += 1 }
    }
  }
}

/// Sums over the samples of a patch.
private struct PatchSums {
  var count = 0
  var coverage = 0
  var coverageSquared = 0
  var border = 0
  var gentle = 0

  mutating func add(coverage: UInt8) {
    count += 1
    self.coverage += Int(coverage)
    coverageSquared += Int(coverage) * Int(coverage)
  }

  var patch: Patch {
    let scale = 1 / Float(max(count, 1))
    let mean = Float(coverage) * scale
    let variance = max(0, Float(coverageSquared) * scale - mean * mean)
    return Patch(
      count: count, coverage: mean / 255, deviation: variance.squareRoot() / 255,
      gentleShare: Float(gentle) / Float(max(border, 1)))
  }
}
