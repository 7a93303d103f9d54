internal import CFFmpeg

/// What the numbers of a picture mean as colours: matrix, range, transfer curve and primaries.
public struct ColourDescription: Hashable, Sendable {
  /// How R'G'B' was made to the stored components (ITU-T H.273 MatrixCoefficients).
  public enum Matrix: Hashable, Sendable {
    /// ITU-R BT.601 (BT.470BG, SMPTE 170M).
    case bt601
    /// ITU-R BT.709.
    case bt709
    /// ITU-R BT.2020, non-constant luminance.
    case bt2020
    /// The components are R'G'B' themselves.
    case rgb
    /// The file does not say.
    case unspecified
    /// Another matrix of H.273, by its number.
    case other(Int32)
  }

  /// The curve between light and stored values (H.273 TransferCharacteristics).
  public enum Transfer: Hashable, Sendable {
    /// BT.709, BT.601 and BT.2020: one curve.
    case bt709
    /// IEC 61966-2-1, the curve of screens and still pictures.
    case srgb
    /// Proportional to light.
    case linear
    /// SMPTE ST 2084, perceptual quantizer (HDR).
    case pq
    /// ARIB STD-B67, hybrid log-gamma (HDR).
    case hlg
    /// The file does not say.
    case unspecified
    /// Another curve of H.273, by its number.
    case other(Int32)
  }

  /// The colours that R, G and B stand for (H.273 ColourPrimaries).
  public enum Primaries: Hashable, Sendable {
    /// BT.709 and sRGB.
    case bt709
    /// BT.601, 625 lines (BT.470BG).
    case bt601Lines625
    /// BT.601, 525 lines (SMPTE 170M).
    case bt601Lines525
    /// BT.2020.
    case bt2020
    /// SMPTE EG 432-1, Display P3.
    case displayP3
    /// The file does not say.
    case unspecified
    /// Others of H.273, by their number.
    case other(Int32)
  }

  /// How R'G'B' was made to the stored components.
  public var matrix: Matrix
  /// Whether 0…255 is used whole, rather than 16…235 (and 16…240 for chroma).
  public var isFullRange: Bool
  /// The curve between light and stored values.
  public var transfer: Transfer
  /// The colours that R, G and B stand for.
  public var primaries: Primaries

  /// Creates a description.
  public init(matrix: Matrix, isFullRange: Bool, transfer: Transfer, primaries: Primaries) {
    self.matrix = matrix
    self.isFullRange = isFullRange
    self.transfer = transfer
    self.primaries = primaries
  }

  /// Whether the picture is HDR (PQ or HLG).
  public var isHDR: Bool { transfer == .pq || transfer == .hlg }

  /// The matrix to decode with; a matrix that the file does not state is guessed from the size.
  ///
  /// The one rule for untagged pictures, everywhere: from 720 rows or 1280 columns BT.709, below
  /// it BT.601. This is what players do (mpv, Chromium). Stored size, before any turning.
  public func resolvedMatrix(width: Int, height: Int) -> Matrix {
    guard matrix == .unspecified else { return matrix }
    return height >= 720 || width >= 1280 ? .bt709 : .bt601
  }
}

extension ColourDescription {
  /// Reads FFmpeg's five colour fields; the pixel format decides where they cannot be right.
  init(
    matrix: AVColorSpace, range: AVColorRange, transfer: AVColorTransferCharacteristic,
    primaries: AVColorPrimaries, format: PixelFormat
  ) {
    self.init(
      matrix: format.isRGB ? .rgb : Matrix(matrix),
      isFullRange: format.isAlwaysFullRange || range == AVCOL_RANGE_JPEG
        || (range == AVCOL_RANGE_UNSPECIFIED && format.isGray),
      transfer: Transfer(transfer), primaries: Primaries(primaries))
  }
}

extension ColourDescription.Matrix {
  init(_ space: AVColorSpace) {
    switch space {
    case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: self = .bt601
    case AVCOL_SPC_BT709: self = .bt709
    case AVCOL_SPC_BT2020_NCL: self = .bt2020
    case AVCOL_SPC_RGB: self = .rgb
    case AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RESERVED: self = .unspecified
    default: self = .other(Int32(space.rawValue))
    }
  }

  var code: AVColorSpace {
    switch self {
    case .bt601: AVCOL_SPC_SMPTE170M
    case .bt709: AVCOL_SPC_BT709
    case .bt2020: AVCOL_SPC_BT2020_NCL
    case .rgb: AVCOL_SPC_RGB
    case .unspecified: AVCOL_SPC_UNSPECIFIED
    case .other(let number): AVColorSpace(rawValue: UInt32(bitPattern: number))
    }
  }
}

extension ColourDescription.Transfer {
  init(_ transfer: AVColorTransferCharacteristic) {
    switch transfer {
    case AVCOL_TRC_BT709, AVCOL_TRC_SMPTE170M, AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12:
      self = .bt709
    case AVCOL_TRC_IEC61966_2_1: self = .srgb
    case AVCOL_TRC_LINEAR: self = .linear
    case AVCOL_TRC_SMPTE2084: self = .pq
    case AVCOL_TRC_ARIB_STD_B67: self = .hlg
    case AVCOL_TRC_UNSPECIFIED, AVCOL_TRC_RESERVED, AVCOL_TRC_RESERVED0: self = .unspecified
    default: self = .other(Int32(transfer.rawValue))
    }
  }

  var code: AVColorTransferCharacteristic {
    switch self {
    case .bt709: AVCOL_TRC_BT709
    case .srgb: AVCOL_TRC_IEC61966_2_1
    case .linear: AVCOL_TRC_LINEAR
    case .pq: AVCOL_TRC_SMPTE2084
    case .hlg: AVCOL_TRC_ARIB_STD_B67
    case .unspecified: AVCOL_TRC_UNSPECIFIED
    case .other(let number): AVColorTransferCharacteristic(rawValue: UInt32(bitPattern: number))
    }
  }
}

extension ColourDescription.Primaries {
  init(_ primaries: AVColorPrimaries) {
    switch primaries {
    case AVCOL_PRI_BT709: self = .bt709
    case AVCOL_PRI_BT470BG: self = .bt601Lines625
    case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: self = .bt601Lines525
    case AVCOL_PRI_BT2020: self = .bt2020
    case AVCOL_PRI_SMPTE432: self = .displayP3
    case AVCOL_PRI_UNSPECIFIED, AVCOL_PRI_RESERVED, AVCOL_PRI_RESERVED0: self = .unspecified
    default: self = .other(Int32(primaries.rawValue))
    }
  }

  var code: AVColorPrimaries {
    switch self {
    case .bt709: AVCOL_PRI_BT709
    case .bt601Lines625: AVCOL_PRI_BT470BG
    case .bt601Lines525: AVCOL_PRI_SMPTE170M
    case .bt2020: AVCOL_PRI_BT2020
    case .displayP3: AVCOL_PRI_SMPTE432
    case .unspecified: AVCOL_PRI_UNSPECIFIED
    case .other(let number): AVColorPrimaries(rawValue: UInt32(bitPattern: number))
    }
  }
}
