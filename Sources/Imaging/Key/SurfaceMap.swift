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
  /// Coverage below which a flat patch is surely glass.
  private static let glass: Float = 0.52
  /// Coverage from which on a flat patch is paint: among others, where there is glass as well, and where
  /// most is glass, which may be tinted then.
  private static let (paint, paintBesideGlass, paintAmongGlass): (Float, Float, Float) =
    (0.58, 0.74, 0.86)

  private let surface: KeySettings.Surface
  private let isWanted: Bool
  private var patches = PatchFinder(.flat)
  private var bodies = PatchFinder(.body)
  private var paint = PaintMap()
  /// Pixels of the picture that are paint.
  private(set) var paintedPixels = 0

  /// The map of a plan.
  init(_ plan: KeyPlan) {
    isWanted = plan.settings.surface != .translucent && !plan.screens.isEmpty
    surface = plan.settings.surface
  }

  /// Looks at a picture whose coverage is found.
  ///
  /// Its luma is overwritten.
  mutating func find(in planes: HalfPlanes, _ blocks: BlockMap) {
    paint.begin(inPlaceOf: planes.luma, planes.size)
    paintedPixels = 0
    guard isWanted else { return }
    let found = patches.find(in: planes, blocks)
    let least = leastPaint(among: found)
    let chosen = choose(from: found, atLeast: least)
    // What is glass or cloud for certain is no body; only where there is none are bodies looked for.
    let solid = least > Self.paint ? [] : bodies.find(in: planes, blocks).map(\.isBody)
    paintedPixels = 4 * patches.mark(chosen, in: &paint)
    if !solid.isEmpty { paintedPixels += 4 * bodies.mark(solid, in: &paint) }
  }

  /// 255 for those of sixteen pixels of row `y` that are paint, else 0.
  @inline(always)
  func paint(_ x: Int, row y: Int) -> SIMD16<UInt8> {
    guard let row = paint.row(y / 2) else { return .zero }
    let half = row.eight(x / 2)
    var flags = SIMD16<UInt8>()
    flags.evenHalf = half
    flags.oddHalf = half
    return flags
  }

  /// The coverage from which on a flat patch is paint, by how much there is that is surely glass.
  private func leastPaint(among patches: [Patch]) -> Float {
    let area = { (range: Range<Float>) -> Int in
      patches.lazy.filter { $0.isSharp && range.contains($0.coverage) }.reduce(0) { $0 + $1.count }
    }
    let (glass, paint) = (area(0..<Self.glass), area(Self.paint..<1))
    guard glass * 2 > paint else { return Self.paint }
    return glass * 2 > paint * 3 ? Self.paintAmongGlass : Self.paintBesideGlass
  }

  /// Which patches are paint.
  private func choose(from patches: [Patch], atLeast least: Float) -> [Bool] {
    if surface == .opaque { return patches.map { $0.count >= Self.leastCount } }
    return patches.map { $0.isSharp && $0.coverage > least }
  }
}

/// Flags of the samples that are paint: 255, or 0.
///
/// They stand in the plane of luma, which nobody looks at any more once the patches are found. Few rows
/// have paint; the others are not written.
struct PaintMap {
  private var flags = RowStore<UInt8>(ring: 1, width: 0, filledWith: 0)
  private var size = PixelSize(width: 0, height: 0)
  private var hasPaint: [Bool] = []

  /// Begins a picture without paint.
  mutating func begin(inPlaceOf plane: RowStore<UInt8>, _ size: PixelSize) {
    (flags, self.size) = (plane, size)
    hasPaint.removeAll(keepingCapacity: true)
    hasPaint.append(contentsOf: repeatElement(false, count: size.height))
  }

  /// The flags of a row; `nil` where none is set.
  @inline(always)
  func row(_ y: Int) -> SampleRow<UInt8>? { hasPaint[y] ? flags[y] : nil }

  /// Sets the flags of samples of a row, and returns how many were clear before.
  mutating func mark(_ samples: Range<Int>, row y: Int) -> Int {
    let row = flags[y]
    if !hasPaint[y] {
      hasPaint[y] = true
      // And what vectors reach beyond the end.
      row.fill(0..<size.width + BlockMap.width, with: 0)
    }
    var count = 0
    for x in samples where row[x] == 0 {
      row[x] = 255
      count += 1
    }
    return count
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
