/// Which parts of a 4:2:0 picture are not plain screen, in blocks of one chroma line.
struct ScreenActivity {
  /// Chroma samples in a block.
  private static let block = 32
  /// Samples beside a block that it depends on.
  private static let reach = 4

  private var blocks = 0
  private var width = 0
  private var lines = 0
  /// Whether a block holds anything but screen.
  private var isBusy: [Bool] = []

  /// Looks at a picture; everything is busy where no codes are known to be screen.
  mutating func find(_ picture: YUV420View, screen: CodeBox?) {
    (width, lines) = (picture.cb.width, picture.cb.height)
    blocks = (width + Self.block - 1) / Self.block
    isBusy.removeAll(keepingCapacity: true)
    guard let screen else {
      isBusy.append(contentsOf: repeatElement(true, count: blocks * lines))
      return
    }
    for line in 0..<lines {
      let (cb, cr) = (picture.cb.row(line), picture.cr.row(line))
      for block in 0..<blocks {
        let start = max(block * Self.block - Self.reach, 0)
        let end = min((block + 1) * Self.block + Self.reach, width)
        isBusy.append(
          !(lies(cb.extracting(start..<end), screen.cb)
            && lies(cr.extracting(start..<end), screen.cr)))
      }
    }
  }

  /// The samples across that hold all runs.
  var columns: Range<Int> {
    var busy = [Bool](repeating: false, count: blocks)
    for index in isBusy.indices where isBusy[index] { busy[index % blocks] = true }
    guard let first = busy.firstIndex(of: true), let last = busy.lastIndex(of: true)
    else { return 0..<0 }
    return first * Self.block..<min((last + 1) * Self.block, width)
  }

  /// The samples of a line that must be converted: those that lie near anything but screen.
  func runs(_ line: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for block in 0..<blocks where isNearBusy(block, line) {
      let start = block * Self.block
      let end = min(start + Self.block, width)
      if let last = runs.last, last.upperBound == start {
        runs[runs.count - 1] = last.lowerBound..<end
      } else {
        runs.append(start..<end)
      }
    }
    return runs
  }

  private func isNearBusy(_ block: Int, _ line: Int) -> Bool {
    (max(line - 1, 0)...min(line + 1, lines - 1)).contains { isBusy[$0 * blocks + block] }
  }
}

/// Whether all codes of a run lie in a range.
private func lies(_ codes: Span<UInt8>, _ range: ClosedRange<UInt8>) -> Bool {
  let (low, high) = (range.lowerBound, range.upperBound)
  var outside: UInt8 = 0
  for x in codes.indices {
    outside |= codes[x] < low ? 255 : 0
    outside |= codes[x] > high ? 255 : 0
  }
  return outside == 0
}
