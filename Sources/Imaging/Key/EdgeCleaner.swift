/// Takes the screen's colour out of the pixels at the edges of a matte.
struct EdgeCleaner {
  /// How many pixels inside the matte the screen's colour is looked for: 4:2:0 and the codec carry it
  /// that far.
  static let reach = 2

  /// The cleaner of a plan; `nil` where colours are to stay as they are.
  init?(_ plan: KeyPlan) {
    let settings = plan.settings
    guard settings.mode == .clean, settings.unmix || settings.despill > 0 else { return nil }
  }

  /// Cleans one row of keyed pixels.
  func clean(
    row y: Int, with matte: MatteTile, in pixels: inout MutableSpan<SIMD4<UInt8>>,
    at start: Int
  ) {
  }
}
