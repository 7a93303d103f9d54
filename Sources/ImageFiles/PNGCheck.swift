public import Imaging

/// What a check of a PNG file found.
public struct PNGFacts: Hashable, Sendable {
  /// The size of the picture.
  public let size: PixelSize
  /// What its samples are.
  public let color: PNGColorType
  /// The least and the greatest alpha; `nil` where there is none, or where only the structure was
  /// looked at.
  public let alphaRange: ClosedRange<UInt8>?
}

/// Reads a PNG file back to see that it is whole.
public enum PNGCheck {
  /// How much is looked at.
  public enum Depth: Hashable, Sendable {
    /// The chunks, their order and their checksums.
    case structure
    /// Also the image data: that it inflates to exactly the picture, and its alpha.
    case pixels
  }

  /// Checks the bytes of a file.
  ///
  /// - Throws: what ``PNGReader/read(_:)`` throws.
  public static func check(
    _ bytes: Span<UInt8>, depth: Depth = .structure
  ) throws(ImageFileError) -> PNGFacts {
    guard depth == .structure else {
      let picture = try PNGReader.read(bytes)
      return PNGFacts(size: picture.size, color: picture.color, alphaRange: picture.alphaRange)
    }
    let chunks = try PNGChunks(bytes)
    guard chunks.bitDepth == 8, let color = PNGColorType(rawValue: chunks.colorType) else {
      throw ImageFileError(.unsupported, "only PNGs of 8-bit grey, RGB or RGBA are checked")
    }
    return PNGFacts(size: chunks.size, color: color, alphaRange: nil)
  }

  /// Checks a file.
  ///
  /// - Throws: also `unreadable` where the file cannot be opened or read.
  public static func check(
    path: String, depth: Depth = .structure
  ) throws(ImageFileError) -> PNGFacts {
    let bytes = try FileBytes.contents(ofFileAt: path)
    do {
      return try check(bytes.span, depth: depth)
    } catch {
      throw ImageFileError(error.code, error.reason, path: path)
    }
  }
}
