import CVectors

/// A function of each channel on its own from bytes to bytes, which is what curves come down to where no
/// other filter stands between them and the pixels.
struct ByteMap: Sendable {
  /// How the function is computed: always with the same result, as fast as it can be.
  private enum Form {
    /// The bits of words that are inverted: those of channels that stay, none.
    case flips(UInt32)
    /// What is added to each channel of a pixel, and then taken from it, within 0…255.
    case shifts(up: SIMD32<UInt8>, down: SIMD32<UInt8>)
    /// x·scale + offset on codes, clamped and rounded.
    case lines(scale: SIMD4<Float>, offset: SIMD4<Float>)
    /// For each channel sixteen rows of sixteen bytes.
    case tables([SIMD16<UInt8>])
  }

  private let form: Form

  /// Takes the values 0…1 of all codes of each channel.
  init(_ tables: [[Float]]) {
    let bytes = tables.map { $0.map(Self.byte) }
    if let mask = Self.flips(bytes) {
      form = .flips(mask)
    } else if let shifts = Self.shifts(bytes) {
      form = .shifts(up: shifts.up, down: shifts.down)
    } else if let lines = Self.lines(tables, bytes) {
      form = .lines(scale: lines.scale, offset: lines.offset)
    } else {
      form = .tables(
        bytes.flatMap { table in
          stride(from: 0, to: 256, by: 16).map { SIMD16(table[$0..<$0 + 16]) }
        })
    }
  }

  private static func byte(_ value: Float) -> UInt8 {
    UInt8((value * 255).rounded(.toNearestOrEven))
  }

  private static func flips(_ bytes: [[UInt8]]) -> UInt32? {
    var mask: UInt32 = 0
    for (channel, table) in bytes.enumerated() {
      guard (0..<256).allSatisfy({ table[$0] == UInt8($0) ^ table[0] }) else { return nil }
      mask |= UInt32(table[0]) << UInt32(8 * channel)
    }
    return mask
  }

  private static func shifts(
    _ bytes: [[UInt8]]
  ) -> (up: SIMD32<UInt8>, down: SIMD32<UInt8>)? {
    var (up, down) = (SIMD32<UInt8>.zero, SIMD32<UInt8>.zero)
    for (channel, table) in bytes.enumerated() {
      // The least code where it is moved up, and the greatest where it is moved down, show how far.
      let shift = table[0] > 0 ? Int(table[0]) : Int(table[255]) - 255
      guard (0..<256).allSatisfy({ Int(table[$0]) == min(max($0 + shift, 0), 255) }) else {
        return nil
      }
      for place in stride(from: channel, to: 32, by: 4) {
        up[place] = UInt8(max(shift, 0))
        down[place] = UInt8(max(-shift, 0))
      }
    }
    return (up, down)
  }

  /// The lines that give these very bytes for all codes.
  private static func lines(
    _ tables: [[Float]], _ bytes: [[UInt8]]
  ) -> (scale: SIMD4<Float>, offset: SIMD4<Float>)? {
    var (scale, offset) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for channel in 0..<4 {
      guard let line = CurveLine(through: tables[channel]) else { return nil }
      // Where values lie between two codes, it may take a nudge for them all to fall to the same side.
      let offsets = [0, 1e-4, -1e-4].map { line.offset * 255 + $0 }
      guard
        let found = offsets.first(where: { offset in
          (0..<256).allSatisfy { code in
            let value = min(max(Float(code) * line.scale + offset, 0), 255)
            return UInt8(value.rounded(.toNearestOrEven)) == bytes[channel][code]
          }
        })
      else { return nil }
      (scale[channel], offset[channel]) = (line.scale, found)
    }
    return (scale, offset)
  }

  /// Maps pixels in place.
  func apply(to pixels: inout MutableSpan<SIMD4<UInt8>>, in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= pixels.count, "pixels out of range")
    let whole = range.count & ~(Self.count - 1)
    unsafe pixels.withUnsafeMutableBytes { bytes in
      // In bounds by the precondition.
      let row = unsafe UnsafeMutableRawBufferPointer(
        rebasing: bytes[range.lowerBound * 4..<(range.lowerBound + whole) * 4])
      unsafe apply(to: row)
    }
    guard whole < range.count else { return }
    let rest = range.lowerBound + whole..<range.upperBound
    var block = [32 of SIMD4<UInt8>](repeating: .zero)
    for (place, x) in rest.enumerated() { block[place] = pixels[x] }
    unsafe withUnsafeMutableBytes(of: &block) { unsafe apply(to: $0) }
    for (place, x) in rest.enumerated() { pixels[x] = block[place] }
  }

  /// The pixels of a step: four blocks.
  private static let count = 32

  /// Maps pixels in whole steps.
  @unsafe private func apply(to bytes: UnsafeMutableRawBufferPointer) {
    switch form {
    case .flips(0): break
    case .flips(let mask):
      let mask = SIMD8(repeating: mask.littleEndian)
      for place in stride(from: 0, to: bytes.count, by: 32) {
        let words = unsafe bytes.loadUnaligned(fromByteOffset: place, as: SIMD8<UInt32>.self)
        unsafe bytes.storeBytes(of: words ^ mask, toByteOffset: place, as: SIMD8<UInt32>.self)
      }
    case .shifts(let up, let down):
      for place in stride(from: 0, to: bytes.count, by: 32) {
        let codes = unsafe bytes.loadUnaligned(fromByteOffset: place, as: SIMD32<UInt8>.self)
        unsafe bytes.storeBytes(
          of: km_excess(km_saturated_byte_sum(codes, up), down), toByteOffset: place,
          as: SIMD32<UInt8>.self)
      }
    case .lines(let scale, let offset):
      let scale = SIMD8(lowHalf: scale, highHalf: scale)
      let offset = SIMD8(lowHalf: offset, highHalf: offset)
      for place in stride(from: 0, to: bytes.count, by: 32) {
        @inline(__always) func pair(_ index: Int) -> SIMD8<Float> {
          let codes = unsafe bytes.loadUnaligned(
            fromByteOffset: place &+ 8 &* index, as: SIMD8<UInt8>.self)
          return SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: codes)) * scale + offset
        }
        unsafe bytes.storeBytes(
          of: km_bytes(pair(0), pair(1), pair(2), pair(3)), toByteOffset: place,
          as: SIMD32<UInt8>.self)
      }
    case .tables(let rows):
      unsafe rows.withUnsafeBufferPointer { rows in
        guard let rows = rows.baseAddress else { return }
        for place in stride(from: 0, to: bytes.count, by: 128) {
          unsafe Self.lookUp(rows, for: bytes, at: place)
        }
      }
    }
  }

  /// Looks 32 pixels up.
  @inline(__always)
  @unsafe private static func lookUp(
    _ rows: UnsafePointer<SIMD16<UInt8>>, for bytes: UnsafeMutableRawBufferPointer, at place: Int
  ) {
    @inline(__always) func words(_ vector: Int) -> SIMD8<UInt32> {
      let words = unsafe bytes.loadUnaligned(
        fromByteOffset: place &+ 32 &* vector, as: SIMD8<UInt32>.self)
      #if _endian(big)
        return words.byteSwapped
      #else
        return words
      #endif
    }
    let (a, b, c, d) = (words(0), words(1), words(2), words(3))
    @inline(__always) func channel(_ index: Int32) -> SIMD32<UInt8> {
      unsafe km_look_up(km_channel(a, b, c, d, index), rows + 16 * Int(index))
    }
    let (red, green, blue, alpha) = (channel(0), channel(1), channel(2), channel(3))
    @inline(__always) func store(_ vector: Int32) {
      var words = km_pixels(red, green, blue, alpha, vector)
      #if _endian(big)
        words = words.byteSwapped
      #endif
      unsafe bytes.storeBytes(
        of: words, toByteOffset: place &+ 32 &* Int(vector), as: SIMD8<UInt32>.self)
    }
    store(0)
    store(1)
    store(2)
    store(3)
  }
}
