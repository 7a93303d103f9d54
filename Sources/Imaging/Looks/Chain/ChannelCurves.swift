/// A function of one channel.
protocol ChannelFilter: Sendable {
  /// Whether alpha is mapped too; else it stays.
  var mapsAlpha: Bool { get }

  /// The value that `value`, 0…1, of a channel (0 red, 1 green, 2 blue, 3 alpha) becomes; any number.
  func value(_ value: Float, channel: Int) -> Float
}

extension ChannelFilter {
  var mapsAlpha: Bool { false }
}

/// Functions of a channel one after the other, each result clamped to 0…1.
struct ChannelCurves: Sendable {
  private var filters: [any ChannelFilter] = []

  /// Whether a function maps alpha.
  private(set) var mapsAlpha = false

  /// Adds a function at the end.
  mutating func append(_ filter: any ChannelFilter) {
    filters.append(filter)
    mapsAlpha = mapsAlpha || filter.mapsAlpha
  }

  /// The value that a channel's value becomes; NaN becomes 0.
  func value(_ value: Float, channel: Int) -> Float {
    filters.reduce(value) {
      channel < 3 || $1.mapsAlpha ? clampedToUnit($1.value($0, channel: channel)) : $0
    }
  }

  /// The values of `count` evenly spaced arguments from 0 to 1, of each channel.
  func tables(count: Int) -> [[Float]] {
    (0..<4).map { channel in
      (0..<count).map { value(Float($0) / Float(count - 1), channel: channel) }
    }
  }
}

/// Curves on channels that are floats already, by the nearest of finely spaced values.
///
/// A sixteenth of a code is far below what an 8-bit result shows, and the codes themselves are
/// among the arguments, so that steps fall as they do on pixels.
struct FineCurves: PointFilter {
  /// The steps from 0 to 1.
  static let steps = 255 * 16
  private let values: [Float]
  private let mapsAlpha: Bool

  /// Takes the tables of each channel, of a value more than there are steps.
  init(_ tables: [[Float]], mapsAlpha: Bool) {
    values = tables.flatMap { $0 }
    self.mapsAlpha = mapsAlpha
  }

  @inline(__always)
  func apply(to block: inout ColorBlock, at place: BlockPlace) {
    block.red = lookUp(block.red, from: 0)
    block.green = lookUp(block.green, from: Self.steps + 1)
    block.blue = lookUp(block.blue, from: 2 * (Self.steps + 1))
    if mapsAlpha { block.alpha = lookUp(block.alpha, from: 3 * (Self.steps + 1)) }
  }

  @inline(__always)
  private func lookUp(_ channel: Lanes, from start: Int) -> Lanes {
    let sum = channel.values * Float(Self.steps) + 8_388_608
    let index = unsafe unsafeBitCast(sum, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x1fff)
    let table = values.span
    @inline(__always) func value(_ index: UInt32) -> Float {
      // In bounds: a clamped channel is at most `steps`.
      unsafe table[unchecked: start &+ Int(index)]
    }
    return Lanes(
      SIMD8(
        value(index[0]), value(index[1]), value(index[2]), value(index[3]),
        value(index[4]), value(index[5]), value(index[6]), value(index[7])))
  }
}
