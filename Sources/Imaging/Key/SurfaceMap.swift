/// Which patches of a picture are paint though their colour has something of the screen's.
///
/// Pink paint and pink glass are the same pixels; what tells them apart is what is around. Smoke, soft
/// shadows and motion blur rise and fall gently; paint is flat and ends at once. Of flat patches that end
/// at once those are paint in which the screen has little share. Where there is much that is surely
/// glass, because the screen has more than half of it, more is taken for glass.
///
/// Works at half resolution, where 4:2:0 has its chroma.
struct SurfaceMap {
  /// Samples of the smallest patch that is looked at.
  fileprivate static let leastCount = 6
  /// Coverage below which a flat patch is glass, and from which on it is paint, among others and
  /// among glass.
  private static let (glass, paint, paintAmongGlass): (Float, Float, Float) = (0.52, 0.58, 0.74)

  private let surface: KeySettings.Surface
  private let rule: MatteRule
  private let screen: SIMD3<Float>?
  private var size = PixelSize(width: 1, height: 1)
  private var planes = HalfPlanes()
  private var patches = PatchFinder(.flat)
  private var bodies = PatchFinder(.body)
  private var table: (encoding: YCbCrEncoding, coverage: [UInt8])?
  /// Samples that are paint: 255, or 0; empty where none is.
  private var paint: [UInt8] = []

  /// The map of a plan.
  init(_ plan: KeyPlan, rule: MatteRule) {
    surface = plan.settings.surface
    self.rule = rule
    screen = plan.screens.first?.unclamped
  }

  /// Looks at a 4:2:0 picture.
  mutating func find(in picture: YUV420View) {
    paint.removeAll(keepingCapacity: true)
    guard surface != .translucent, screen != nil else { return }
    planes.load(picture)
    find(picture.encoding)
  }

  /// Looks at a picture of RGBA pixels.
  mutating func find(in picture: RGBAView) {
    paint.removeAll(keepingCapacity: true)
    guard surface != .translucent, screen != nil else { return }
    planes.load(picture)
    find(HalfPlanes.encoding)
  }

  /// How many pixels of the picture are paint.
  var paintedPixels: Int { 4 * paint.lazy.filter { $0 != 0 }.count }

  /// Sets the flags of the pixels of row `y` that are paint.
  func mark(row y: Int, into flags: inout [UInt8], at start: Int, count: Int) {
    guard !paint.isEmpty, y / 2 < size.height else { return }
    let paint = paint.span.extracting(y / 2 * size.width..<(y / 2 + 1) * size.width)
    var flags = flags.mutableSpan
    precondition(start >= 0 && start + count <= flags.count && count <= 2 * size.width)
    for x in 0..<count { flags[start + x] |= paint[x / 2] }
  }

  private mutating func find(_ encoding: YCbCrEncoding) {
    size = planes.size
    if table?.encoding != encoding {
      table = (
        encoding,
        AlphaTable(
          encoding: encoding, screenNear: screen ?? .zero, alpha: rule.alpha(of:)
        ).entries
      )
    }
    guard let coverage = table?.coverage else { return }
    let found = patches.find(in: planes, coverage: coverage)
    let chosen = choose(from: found)
    // What is glass or cloud for certain is no body; only where there is none are bodies looked for.
    let solid = isGlazed(found) ? [] : bodies.find(in: planes, coverage: coverage).map(\.isBody)
    guard chosen.contains(true) || solid.contains(true) else { return }
    paint.append(contentsOf: repeatElement(0, count: size.area))
    patches.mark(chosen, into: &paint)
    if !solid.isEmpty { bodies.mark(solid, into: &paint) }
  }

  /// Whether there is much that is surely glass.
  private func isGlazed(_ patches: [Patch]) -> Bool {
    let area = { (range: Range<Float>) -> Int in
      patches.lazy.filter { $0.isSharp && range.contains($0.coverage) }.reduce(0) { $0 + $1.count }
    }
    return area(0..<Self.glass) > area(Self.paint..<1) / 2
  }

  /// Which patches are paint.
  private func choose(from patches: [Patch]) -> [Bool] {
    if surface == .opaque { return patches.map { $0.count >= Self.leastCount } }
    let least = isGlazed(patches) ? Self.paintAmongGlass : Self.paint
    return patches.map { $0.isSharp && $0.coverage > least }
  }
}

extension Patch {
  /// Whether it is of one coverage and ends at once.
  fileprivate var isSharp: Bool {
    count >= SurfaceMap.leastCount && deviation < 0.05 && gentleShare < 0.35
  }

  /// Whether it is solid, whatever its texture.
  fileprivate var isBody: Bool { count >= 4 * SurfaceMap.leastCount && gentleShare < 0.2 }
}
