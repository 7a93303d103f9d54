/// What a matte is judged by; less is better in all.
///
/// Levels are of 255. The band is all within 2 px of a partly covered pixel or of a hard edge.
public enum Metric: Int, CaseIterable, Sendable {
  /// The mean error of alpha, in levels.
  case alpha
  /// The mean error of alpha in the band, in levels.
  case edge
  /// Missing alpha where the truth is solid for 4 px around, in levels.
  case holes
  /// Alpha where the truth is empty for 4 px around, in levels.
  case residue
  /// The sum of the errors of alpha, in thousands of whole pixels.
  case sad
  /// The mean square error of alpha (0…1), times 1000.
  case mse
  /// The error of alpha's gradient (Rhemann et al. 2009), in thousands.
  case gradient
  /// The error of connectivity (Rhemann et al. 2009), in thousands.
  case connectivity
  /// Flicker: the root mean square error of alpha's change to the next frame (Erofeev et al. 2015),
  /// times 1000.
  case flicker
  /// The error of the composite over black in the band, in levels.
  case overBlack
  /// The error of the composite over white in the band, in levels.
  case overWhite
  /// The error of the composite over a checkerboard in the band, in levels.
  case overChecker
  /// The error of the composites over all three in the whole picture, in levels.
  case composite
  /// How much more than the truth the band leans to the screen's colour, in levels.
  case spill
  /// How much less than the truth it does, in levels.
  case overdespill
}

/// Figures by metric; those not measured are not a number.
public struct Score: Sendable {
  private var values = [Double](repeating: .nan, count: Metric.allCases.count)

  /// A score of which nothing is measured yet.
  public init() {}

  /// The figure of a metric.
  public subscript(metric: Metric) -> Double {
    get { values[metric.rawValue] }
    set { values[metric.rawValue] = newValue }
  }

  /// The mean of scores, figure by figure, of those that have it.
  public init(meanOf scores: [Score]) {
    for metric in Metric.allCases {
      let measured = scores.map { $0[metric] }.filter { !$0.isNaN }
      guard !measured.isEmpty else { continue }
      self[metric] = measured.reduce(0, +) / Double(measured.count)
    }
  }
}
