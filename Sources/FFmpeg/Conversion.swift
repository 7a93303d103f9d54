internal import CFFmpeg

/// All that a swscale context depends on.
struct Conversion: Hashable {
  var sourceWidth: Int
  var sourceHeight: Int
  let sourceFormat: PixelFormat
  let sourceColour: ColourDescription
  let chromaLocation: Frame.ChromaLocation
  let width: Int
  let height: Int
  let format: PixelFormat
  let targetColour: ColourDescription

  init(
    from frame: Frame, to format: PixelFormat, width: Int, height: Int,
    colour: ColourDescription? = nil
  ) {
    sourceWidth = frame.width
    sourceHeight = frame.height
    sourceFormat = frame.pixelFormat
    sourceColour = frame.colour.resolved(width: frame.width, height: frame.height)
    chromaLocation = frame.chromaLocation
    self.width = width
    self.height = height
    self.format = format
    targetColour =
      colour?.resolved(width: width, height: height)
      ?? sourceColour.converted(from: sourceFormat, to: format, width: width, height: height)
  }

  /// Sets swscale up.
  ///
  /// Wraps `sws_init_context`.
  func makeContext() throws(FFmpegError) -> OpaquePointer {
    guard let context = unsafe sws_alloc_context() else { throw outOfMemory("sws_alloc_context") }
    do throws(FFmpegError) {
      for (name, value) in options {
        unsafe try check(
          av_opt_set_int(UnsafeMutableRawPointer(context), name, Int64(value), 0),
          "av_opt_set_int", name)
      }
      unsafe try check(sws_init_context(context, nil, nil), "sws_init_context", description)
      unsafe setColours(of: context)
      return unsafe context
    } catch {
      unsafe sws_freeContext(context)
      throw error
    }
  }

  private var options: [(String, Int)] {
    [
      ("srcw", sourceWidth), ("srch", sourceHeight),
      ("src_format", Int(sourceFormat.code.rawValue)),
      ("dstw", width), ("dsth", height), ("dst_format", Int(format.code.rawValue)),
      ("src_range", sourceColour.isFullRange ? 1 : 0),
      ("dst_range", targetColour.isFullRange ? 1 : 0),
      ("src_h_chr_pos", horizontalChromaPosition), ("src_v_chr_pos", verticalChromaPosition),
      ("sws_flags", Int(flags)),
    ]
  }

  /// Bicubic; the average of all source pixels where a side shrinks to less than a third, which
  /// costs less there and does not ring.
  private var flags: Int32 {
    let isStrongReduction = width * 3 < sourceWidth || height * 3 < sourceHeight
    return (isStrongReduction ? SWS_AREA : SWS_BICUBIC) | SWS_ACCURATE_RND
      | (isCopy ? 0 : SWS_BITEXACT) | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
  }

  /// Whether values only change places.
  ///
  /// Other conversions are asked to be the same to the bit on every processor; these are so
  /// anyway, and 20 times as fast when not asked (rgb24 to rgba: 0.5 ms for 1920x1080, not 11).
  private var isCopy: Bool {
    (width, height) == (sourceWidth, sourceHeight) && sourceFormat.isRGB && format.isRGB
      && sourceFormat.bitDepth == 8 && format.bitDepth == 8
  }

  // In 256ths of a luma pixel; -513 leaves it to swscale, where nothing is subsampled.
  private var horizontalChromaPosition: Int {
    guard sourceFormat.chromaShiftX == 1, !sourceFormat.isRGB else { return -513 }
    return chromaLocation == .center ? 128 : 0
  }

  private var verticalChromaPosition: Int {
    guard sourceFormat.chromaShiftY == 1, !sourceFormat.isRGB else { return -513 }
    return chromaLocation == .topLeft ? 0 : 128
  }

  /// Sets the matrices, for which there are no options.
  private func setColours(of context: OpaquePointer) {
    // Fails only between RGB formats, which have no matrix.
    unsafe sws_setColorspaceDetails(
      context, sws_getCoefficients(sourceColour.matrix.swscaleCode),
      sourceColour.isFullRange ? 1 : 0, sws_getCoefficients(targetColour.matrix.swscaleCode),
      targetColour.isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
  }
}

extension Conversion: CustomStringConvertible {
  var description: String {
    "\(sourceFormat) \(sourceWidth)x\(sourceHeight) to \(format) \(width)x\(height)"
  }
}

extension ColourDescription {
  /// The description with a matrix in any case.
  fileprivate func resolved(width: Int, height: Int) -> ColourDescription {
    var resolved = self
    resolved.matrix = resolvedMatrix(width: width, height: height)
    return resolved
  }

  /// What the numbers mean after a mere change of format.
  fileprivate func converted(
    from source: PixelFormat, to target: PixelFormat, width: Int, height: Int
  ) -> ColourDescription {
    var converted = self
    if target.isRGB {
      (converted.matrix, converted.isFullRange) = (.rgb, true)
    } else if source.isRGB {
      converted.matrix = .unspecified
      converted.matrix = converted.resolvedMatrix(width: width, height: height)
      converted.isFullRange = target.isAlwaysFullRange || target.isGray
    } else if target.isAlwaysFullRange {
      converted.isFullRange = true
    }
    return converted
  }
}

extension ColourDescription.Matrix {
  /// swscale numbers its matrices as H.273 does.
  fileprivate var swscaleCode: Int32 {
    switch self {
    case .bt709: SWS_CS_ITU709
    case .bt2020: SWS_CS_BT2020
    case .other(let number): number
    case .bt601, .rgb, .unspecified: SWS_CS_ITU601
    }
  }
}
