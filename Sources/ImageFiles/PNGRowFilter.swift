/// The ways a PNG row is made easier to compress (PNG Specification §9).
enum PNGRowFilter: UInt8, CaseIterable {
  case none = 0
  case sub = 1
  case up = 2
  case average = 3
  case paeth = 4

  /// Appends the filter's number and the filtered row.
  func append(_ row: [UInt8], above: [UInt8], channels: Int, to filtered: inout [UInt8]) {
    filtered.append(rawValue)
    let start = filtered.count
    filtered.append(contentsOf: row)
    var output = filtered.mutableSpan
    let row = row.span
    let above = above.span
    precondition(row.count == above.count, "rows must agree")
    switch self {
    case .none: break
    case .up:
      for i in row.indices {
        // In bounds: the row was appended at `start`. Checked, the loop is not made vectors.
        unsafe output[unchecked: start &+ i] = row[i] &- above[i]
      }
    case .sub, .average, .paeth:
      for i in row.indices {
        let left = i < channels ? 0 : row[i - channels]
        let corner = i < channels ? 0 : above[i - channels]
        output[start + i] = row[i] &- prediction(left: left, above: above[i], corner: corner)
      }
    }
  }

  /// The filter whose result has the least sum of absolute values, taken as signed bytes: the guess
  /// that the PNG Specification recommends (§12.7).
  static func best(for row: [UInt8], above: [UInt8], channels: Int) -> PNGRowFilter {
    var sums = [5 of Int](repeating: 0)
    let row = row.span
    let above = above.span
    for i in row.indices {
      let left = i < channels ? 0 : row[i - channels]
      let corner = i < channels ? 0 : above[i - channels]
      for filter in allCases {
        let rest = row[i] &- filter.prediction(left: left, above: above[i], corner: corner)
        sums[Int(filter.rawValue)] += Int(Int8(bitPattern: rest).magnitude)
      }
    }
    return allCases.min { sums[Int($0.rawValue)] < sums[Int($1.rawValue)] } ?? .none
  }

  /// What the filter expects a sample to be from its neighbours.
  func prediction(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
    switch self {
    case .none: 0
    case .sub: left
    case .up: above
    case .average: UInt8((UInt16(left) + UInt16(above)) / 2)
    case .paeth: Self.paeth(left: Int16(left), above: Int16(above), corner: Int16(corner))
    }
  }

  private static func paeth(left: Int16, above: Int16, corner: Int16) -> UInt8 {
    let estimate = left + above - corner
    let (a, b, c) = (abs(estimate - left), abs(estimate - above), abs(estimate - corner))
    if a <= b && a <= c { return UInt8(left) }
    return UInt8(b <= c ? above : corner)
  }
}
