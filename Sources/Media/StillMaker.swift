import FFmpeg
import ImageFiles
import Imaging
import Recipes
import Synchronization

/// Makes one still: upright, with square pixels, under the cap, through the filters, into its files.
///
/// Used by several threads at once.
final class StillMaker: Sendable {
  private let section: StillsSection
  private let staging: StagingDirectory
  private let chain: FilterChain
  private let finished = Mutex<[StillReport]>([])

  /// Reads the pictures that the filters name; `warnings` tells of those that are damaged.
  ///
  /// - Throws: `MediaError` about the first one that cannot be read.
  init(
    _ section: StillsSection, into staging: StagingDirectory, warnings: Warnings
  ) throws(MediaError) {
    self.section = section
    self.staging = staging
    chain = try FilterChain(section.filters) { path throws(MediaError) in
      try PictureFile.read(path, warnings: warnings)
    }
  }

  /// Enters all stills in the ledger, in the order of their numbers, once no more are made.
  func finish() throws -> [StillReport] {
    let reports = finished.withLock { $0.sorted { $0.number < $1.number } }
    for report in reports { try report.files.forEach(staging.ledger.add) }
    return reports
  }

  /// Makes the still `number` of a frame that is shown `seconds` after the first.
  func make(_ frame: Frame, number: Int, seconds: Double) throws {
    let natural = FramePicture(frame)
    let shown = natural.size.withSquarePixels(natural.sampleAspectRatio)
    let size = section.cap.map { shown.fitted(under: $0) } ?? shown
    let image = try picture(frame, from: natural, size: size)
    let result = chain.apply(to: image)
    let files = try section.formats.map { format in
      var record = try write(result, as: format, number: number)
      record.seconds = seconds
      return record
    }
    let report = StillReport(number: number, seconds: seconds, size: result.size, files: files)
    finished.withLock { $0.append(report) }
  }

  /// The frame upright at a size.
  ///
  /// Where it has alpha it is scaled premultiplied, else the colour of
  /// transparent pixels would bleed into the edges.
  private func picture(
    _ frame: Frame, from natural: FramePicture, size: PixelSize
  ) throws -> RGBAImage {
    guard frame.hasAlpha && size != natural.size else {
      return try FramePicture(frame, size: size).rgba(with: Scaler())
    }
    return try natural.rgba(with: Scaler()).resized(to: size)
  }

  private func write(
    _ image: RGBAImage, as format: StillsSection.Format, number: Int
  ) throws -> FileRecord {
    let digits = String(number)
    let name = "stills/" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    switch format {
    case .png:
      var encoder = try PNGEncoder()
      encoder.begin(size: image.size, color: image.isOpaque ? .rgb : .rgba, isSRGB: true)
      try encoder.write(rows: image.pixels.span)
      _ = try encoder.finish()
      return try staging.write("\(name).png", encoder.bytes, check: ReadBack())
    case .jpeg:
      var encoder = try JPEGEncoder()
      let bytes = try encoder.encode(image, quality: section.quality)
      return try staging.write("\(name).jpg", bytes.span, check: ReadBack())
    }
  }
}

extension PixelSize {
  /// The size that shows the same picture with square pixels; the height is kept.
  func withSquarePixels(_ ratio: Rational) -> PixelSize {
    guard ratio.isPositive, ratio.num != ratio.den else { return self }
    let width = (Double(width) * ratio.value).rounded()
    return PixelSize(width: max(1, Int(min(width, 65_535))), height: height)
  }
}
