/// How a picture's luma and chroma samples stand for gamma-encoded RGB.
public struct YCbCrEncoding: Hashable, Sendable {
  /// The weights of red and blue in luma.
  public enum Matrix: String, Hashable, Sendable, CaseIterable {
    /// ITU-R BT.601, standard definition and JPEG.
    case bt601
    /// ITU-R BT.709, high definition.
    case bt709
    /// ITU-R BT.2020 with non-constant luminance, ultra high definition.
    case bt2020

    /// The weights of red and blue; green has the rest.
    var weights: (red: Double, blue: Double) {
      switch self {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    }
  }

  /// Which part of the 8-bit codes holds the picture.
  public enum Range: String, Hashable, Sendable, CaseIterable {
    /// Luma 16…235, chroma 16…240.
    case limited
    /// 0…255 for luma and chroma.
    case full
  }

  /// The weights of the colour channels in luma.
  public var matrix: Matrix
  /// The range of the codes.
  public var range: Range

  /// Makes the encoding of a matrix and a range.
  public init(matrix: Matrix, range: Range) {
    self.matrix = matrix
    self.range = range
  }

  /// Limited BT.601, what most untagged standard-definition video is.
  public static let bt601Limited = YCbCrEncoding(matrix: .bt601, range: .limited)
  /// Limited BT.709, what high-definition video is.
  public static let bt709Limited = YCbCrEncoding(matrix: .bt709, range: .limited)
}

extension YCbCrEncoding {
  /// The exact coefficients of the way from 8-bit codes to RGB, where 1 is white.
  ///
  ///     luma = (Y − lumaOffset)·lumaScale
  ///     R = luma + crToRed·(Cr − 128)
  ///     G = luma + cbToGreen·(Cb − 128) + crToGreen·(Cr − 128)
  ///     B = luma + cbToBlue·(Cb − 128)
  ///
  /// Source: ITU-R BT.601-7 §2.5, BT.709-6 §3, BT.2020-2 table 4; full range as in JFIF 1.02.
  public struct Coefficients: Hashable, Sendable {
    /// The code of black.
    public var lumaOffset: Double
    /// RGB for one step of luma.
    public var lumaScale: Double
    /// Red for one step of Cr.
    public var crToRed: Double
    /// Green for one step of Cb, negative.
    public var cbToGreen: Double
    /// Green for one step of Cr, negative.
    public var crToGreen: Double
    /// Blue for one step of Cb.
    public var cbToBlue: Double
  }

  /// The coefficients of this encoding.
  public var coefficients: Coefficients {
    let (red, blue) = matrix.weights
    let green = 1 - red - blue
    let isFull = range == .full
    let chroma = isFull ? 1 / 255.0 : 1 / 224.0
    return Coefficients(
      lumaOffset: isFull ? 0 : 16, lumaScale: isFull ? 1 / 255.0 : 1 / 219.0,
      crToRed: 2 * (1 - red) * chroma,
      cbToGreen: -2 * (1 - blue) * blue / green * chroma,
      crToGreen: -2 * (1 - red) * red / green * chroma,
      cbToBlue: 2 * (1 - blue) * chroma)
  }

  /// The colour of one set of codes, not clamped: codes outside the RGB cube give channels outside
  /// 0…1.
  public func rgb(luma: Float, cb: Float, cr: Float) -> SIMD3<Float> {
    let c = coefficients
    let grey = (luma - Float(c.lumaOffset)) * Float(c.lumaScale)
    let (cb, cr) = (cb - 128, cr - 128)
    return SIMD3(
      grey + Float(c.crToRed) * cr,
      grey + Float(c.cbToGreen) * cb + Float(c.crToGreen) * cr,
      grey + Float(c.cbToBlue) * cb)
  }

  /// The codes (Y, Cb, Cr) of a colour, not rounded.
  public func codes(of color: RGBColor) -> SIMD3<Float> { codes(of: color.channels) }

  /// The codes (Y, Cb, Cr) of channels that need not lie in 0…1, not rounded.
  func codes(of color: SIMD3<Float>) -> SIMD3<Float> {
    let (red, blue) = matrix.weights
    let c = coefficients
    let (r, g, b) = (Double(color.x), Double(color.y), Double(color.z))
    let luma = red * r + (1 - red - blue) * g + blue * b
    return SIMD3(
      Float(luma / c.lumaScale + c.lumaOffset), Float((b - luma) / c.cbToBlue + 128),
      Float((r - luma) / c.crToRed + 128))
  }
}

/// Where the chroma samples of a 4:2:0 picture sit among the luma samples of a row.
///
/// Down the picture they sit midway between two luma rows in both cases.
public enum ChromaSiting: String, Hashable, Sendable, CaseIterable {
  /// On the even luma samples: MPEG-2, H.264 and HEVC unless they say otherwise.
  case left
  /// Midway between two luma samples: JPEG, MPEG-1, VP8.
  case center
}
