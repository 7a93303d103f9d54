import FFmpeg
import Recipes

/// Lets a range of a track's samples pass.
struct SoundCut {
  private let range: Range<Int>
  private var position = 0

  /// A cut that lets these samples pass, counted from the first that comes.
  init(_ range: Range<Int>) { self.range = range }

  /// The part of a section from `from` to `to`, at a rate in samples a second; nil for all of it.
  init?(_ section: AudioSection, sampleRate: Int) {
    guard section.from != nil || section.to != nil else { return nil }
    func index(_ time: Duration) -> Int { Int((time / .seconds(1) * Double(sampleRate)).rounded()) }
    self.init((section.from.map(index) ?? 0)..<(section.to.map(index) ?? .max))
  }

  /// Whether nothing that follows passes.
  var isComplete: Bool { position >= range.upperBound }

  /// What of the next samples passes.
  mutating func take(_ frame: Frame) throws -> Frame? {
    let here = position..<position + frame.sampleCount
    position = here.upperBound
    let kept = here.clamped(to: range)
    guard !kept.isEmpty else { return nil }
    return try frame.samples(
      in: kept.lowerBound - here.lowerBound..<kept.upperBound - here.lowerBound)
  }
}
