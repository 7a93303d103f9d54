import FFmpeg
import ImageFiles
import Imaging
import Recipes

/// Makes the files of one keyed frame after the other: keys and compresses tile by tile, so that a
/// keyed frame never exists as a whole, unless it has to be turned.
///
/// Holds a keyer, compressors and their buffers; belongs to one thread at a time.
final class FrameKeyer {
  /// 32 rows of 1400 pixels of RGBA are 179 KB: they stay in the second-level cache between the
  /// keyer and the compressor.
  private static let tileRows = 32
  /// Pictures beyond this are converted to RGBA in bands instead of whole.
  private static let largestWhole = 16_000_000
  /// Rows of a large picture that are converted at once, and beyond its ends, for kernels that look
  /// at neighbours.
  private static let (bandRows, bandMargin) = (256, 16)

  private var keyer: Keyer
  /// What became of the pixels of the picture keyed last; `nil` where that is not counted.
  private(set) var tally: MatteTally?
  private let formats: [KeySection.Format]
  private let alphaForm: KeySection.Alpha
  private let scaler = Scaler()
  private let check = ReadBack()
  private var frames: PNGEncoder
  private var mattes: PNGEncoder
  private var pixels: [SIMD4<UInt8>] = []
  private var alpha: [UInt8] = []

  /// A keyer of a plan that makes the files of `formats`.
  init(
    _ plan: KeyPlan, formats: [KeySection.Format], alpha: KeySection.Alpha
  ) throws(ImageFileError) {
    keyer = Keyer(plan)
    self.formats = formats
    alphaForm = alpha
    frames = try PNGEncoder()
    mattes = try PNGEncoder()
  }

  /// Keys a picture and writes the files of frame `number`.
  func key(
    _ picture: FramePicture, number: Int, into staging: StagingDirectory
  ) throws -> [FileRecord] {
    begin(picture.size)
    tally = nil
    let orientation = picture.orientation
    let picture = try picture.unturned(besides: keyer.plan.aids).inPlanes(with: scaler)
    if picture.isDirect {
      try picture.withPlanes {
        if orientation == .upright { try key($0) } else { try key($0, turnedBy: orientation) }
      }
    } else if picture.size.area > Self.largestWhole && picture.isStored
      && keyer.plan.aids == KeyAids()
    {
      try keyInBands(picture)
    } else {
      let image = try picture.rgba(with: scaler)
      try key(image.view, rows: 0..<picture.size.height)
    }
    return try formats.map { try write($0, number: number, into: staging) }
  }

  private func begin(_ size: PixelSize) {
    for format in formats {
      switch format {
      case .png: frames.begin(size: size, color: .rgba, isSRGB: true)
      case .mask: mattes.begin(size: size, color: .gray)
      }
    }
  }

  private func key(_ picture: YUV420View) throws {
    keyer.begin(picture)
    for rows in tiles(of: 0..<picture.size.height) {
      resizeTile(to: rows.count * picture.size.width)
      if formats.contains(.png) {
        keyer.key(rows: rows, of: picture, into: &pixels)
      } else {
        keyer.matte(rows: rows, of: picture, into: &alpha)
      }
      try compress()
    }
    addTally()
  }

  /// Keys a picture as it is stored, and turns it then.
  private func key(_ picture: YUV420View, turnedBy orientation: Orientation) throws {
    keyer.begin(picture)
    var stored: [SIMD4<UInt8>] = []
    stored.reserveCapacity(picture.size.area)
    for rows in tiles(of: 0..<picture.size.height) {
      resizeTile(to: rows.count * picture.size.width)
      keyer.key(rows: rows, of: picture, into: &pixels)
      stored += pixels
    }
    addTally()
    let upright = RGBAImage(size: picture.size, pixels: stored).oriented(by: orientation)
    for rows in tiles(of: 0..<upright.height) {
      resizeTile(to: rows.count * upright.width)
      pixels.replaceSubrange(
        pixels.indices,
        with: upright.pixels[rows.lowerBound * upright.width..<rows.upperBound * upright.width])
      if !formats.contains(.png) { copyAlpha() }
      try compress()
    }
  }

  private func key(_ picture: RGBAView, rows all: Range<Int>) throws {
    keyer.begin(picture)
    for rows in tiles(of: all) {
      resizeTile(to: rows.count * picture.size.width)
      if formats.contains(.png) {
        keyer.key(rows: rows, of: picture, into: &pixels)
      } else {
        keyer.matte(rows: rows, of: picture, into: &alpha)
      }
      try compress()
    }
    addTally()
  }

  private func keyInBands(_ picture: FramePicture) throws {
    let whole = keyer
    keyer = Keyer(whole.plan, evensLight: false)
    defer { keyer = whole }
    for start in stride(from: 0, to: picture.size.height, by: Self.bandRows) {
      let wanted = start..<min(start + Self.bandRows, picture.size.height)
      let first = max(0, wanted.lowerBound - Self.bandMargin)
      let last = min(picture.size.height, wanted.upperBound + Self.bandMargin)
      let band = try picture.band(first..<last, with: scaler)
      try key(band.view, rows: wanted.lowerBound - first..<wanted.upperBound - first)
    }
  }

  private func addTally() {
    guard let part = keyer.tally else { return }
    var sum = tally ?? MatteTally()
    sum.add(part)
    tally = sum
  }

  private func tiles(of rows: Range<Int>) -> [Range<Int>] {
    stride(from: rows.lowerBound, to: rows.upperBound, by: Self.tileRows).map {
      $0..<min($0 + Self.tileRows, rows.upperBound)
    }
  }

  /// Adds the tile at hand to the files.
  private func compress() throws(ImageFileError) {
    guard formats.contains(.png) else { return try Self.append(alpha, to: &mattes) }
    if alphaForm == .premultiplied { premultiply(&pixels) }
    try Self.append(pixels, to: &frames)
    guard formats.contains(.mask) else { return }
    copyAlpha()
    try Self.append(alpha, to: &mattes)
  }

  /// Takes the matte of the tile at hand out of its pixels.
  private func copyAlpha() {
    for index in pixels.indices { alpha[index] = pixels[index].w }
  }

  private static func append(
    _ pixels: [SIMD4<UInt8>], to encoder: inout PNGEncoder
  ) throws(ImageFileError) { try encoder.write(rows: pixels.span) }

  private static func append(
    _ samples: [UInt8], to encoder: inout PNGEncoder
  ) throws(ImageFileError) { try encoder.write(rows: samples.span) }

  private func resizeTile(to count: Int) {
    pixels.resize(to: count, with: .zero)
    alpha.resize(to: count, with: 0)
  }

  private func write(
    _ format: KeySection.Format, number: Int, into staging: StagingDirectory
  ) throws -> FileRecord {
    let digits = String(number)
    let name = String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".png"
    return switch format {
    case .png: try Self.write(&frames, "frames/\(name)", into: staging, check)
    case .mask: try Self.write(&mattes, "mask/\(name)", into: staging, check)
    }
  }

  private static func write(
    _ encoder: inout PNGEncoder, _ name: String, into staging: StagingDirectory, _ check: ReadBack
  ) throws -> FileRecord {
    _ = try encoder.finish()
    return try staging.write(name, encoder.bytes, check: check)
  }
}

/// Multiplies the colour of pixels by their alpha, rounded.
private func premultiply(_ pixels: inout [SIMD4<UInt8>]) {
  var pixels = pixels.mutableSpan
  for i in pixels.indices where pixels[i].w < 255 {
    let pixel = pixels[i]
    let product = SIMD4<UInt16>(truncatingIfNeeded: pixel) &* UInt16(pixel.w) &+ 128
    // Rounded division by 255.
    let color = (product &+ product &>> 8) &>> 8
    pixels[i] = SIMD4(UInt8(color.x), UInt8(color.y), UInt8(color.z), pixel.w)
  }
}

extension Array {
  /// Makes the array have a length, keeping its storage where it suffices.
  fileprivate mutating func resize(to count: Int, with element: Element) {
    if self.count > count { removeLast(self.count - count) }
    if self.count < count {
      append(contentsOf: repeatElement(element, count: count - self.count))
    }
  }
}
