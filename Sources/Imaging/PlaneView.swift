/// A borrowed view of one 8-bit plane of a picture.
///
/// Rows run from top to bottom. `stride` is the distance of two rows in bytes; it is negative where
/// the bottom row comes first in memory. The view is valid as long as the span it was made of.
public struct PlaneView: ~Escapable {
  /// Samples across.
  public let width: Int
  /// Rows.
  public let height: Int
  private let samples: Span<UInt8>
  private let stride: Int
  private let topOffset: Int

  /// Views `height` rows of `width` samples in `samples`, which begins at the lowest address.
  @_lifetime(copy samples)
  public init(_ samples: Span<UInt8>, stride: Int, width: Int, height: Int) {
    let reach = abs(stride) * max(0, height - 1)
    precondition(width > 0 && height > 0, "a plane has at least one sample")
    precondition(abs(stride) >= width || height == 1, "rows must not overlap")
    precondition(samples.count >= reach + width, "the last row must lie inside the span")
    self.samples = samples
    self.stride = stride
    self.width = width
    self.height = height
    topOffset = stride < 0 ? reach : 0
  }

  /// The samples of row `y`.
  @_lifetime(copy self)
  public func row(_ y: Int) -> Span<UInt8> {
    precondition(y >= 0 && y < height, "row out of range")
    let start = topOffset + y * stride
    return samples.extracting(start..<start + width)
  }
}

/// A borrowed view of an 8-bit 4:2:0 picture: luma at full, Cb and Cr at half resolution.
public struct YUV420View: ~Escapable {
  /// The luma plane.
  public let luma: PlaneView
  /// The blue-difference plane, half as wide and high, rounded up.
  public let cb: PlaneView
  /// The red-difference plane, half as wide and high, rounded up.
  public let cr: PlaneView
  /// What the codes stand for.
  public let encoding: YCbCrEncoding
  /// Where the chroma samples sit.
  public let siting: ChromaSiting

  /// Puts three planes together to a picture.
  @_lifetime(copy luma, copy cb, copy cr)
  public init(
    luma: PlaneView, cb: PlaneView, cr: PlaneView, encoding: YCbCrEncoding,
    siting: ChromaSiting = .left
  ) {
    let (width, height) = ((luma.width + 1) / 2, (luma.height + 1) / 2)
    precondition(cb.width == width && cb.height == height, "Cb must have half the size, rounded up")
    precondition(cr.width == width && cr.height == height, "Cr must have half the size, rounded up")
    self.luma = luma
    self.cb = cb
    self.cr = cr
    self.encoding = encoding
    self.siting = siting
  }

  /// The size of the picture.
  public var size: PixelSize { PixelSize(width: luma.width, height: luma.height) }
}

/// A borrowed view of a picture of straight 8-bit RGBA pixels.
public struct RGBAView: ~Escapable {
  /// The size of the picture.
  public let size: PixelSize
  private let pixels: Span<SIMD4<UInt8>>
  private let pixelsPerRow: Int

  /// Views rows of `size.width` pixels, `pixelsPerRow` apart.
  @_lifetime(copy pixels)
  public init(_ pixels: Span<SIMD4<UInt8>>, size: PixelSize, pixelsPerRow: Int) {
    precondition(size.width > 0 && size.height > 0, "a picture has at least one pixel")
    precondition(pixelsPerRow >= size.width, "rows must not overlap")
    precondition(
      pixels.count >= pixelsPerRow * (size.height - 1) + size.width,
      "the last row must lie inside the span")
    self.size = size
    self.pixels = pixels
    self.pixelsPerRow = pixelsPerRow
  }

  /// Views the bytes R, G, B, A of a packed plane.
  ///
  /// The plane must begin at an address divisible by four, and so must `stride`, as those of every
  /// decoder do.
  @_lifetime(copy bytes)
  public init(bytes: Span<UInt8>, stride: Int, size: PixelSize) {
    precondition(stride % 4 == 0, "a row must hold whole pixels")
    // Safe: four bytes of any value are a pixel, and the initialiser checks alignment and length.
    let pixels = unsafe Span<SIMD4<UInt8>>(_bytes: bytes.extracting(first: bytes.count & ~3).bytes)
    self.init(pixels, size: size, pixelsPerRow: stride / 4)
  }

  /// The pixels of row `y`.
  @_lifetime(copy self)
  public func row(_ y: Int) -> Span<SIMD4<UInt8>> {
    precondition(y >= 0 && y < size.height, "row out of range")
    let start = y * pixelsPerRow
    return pixels.extracting(start..<start + size.width)
  }
}
