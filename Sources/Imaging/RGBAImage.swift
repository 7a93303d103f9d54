/// An owned picture of straight 8-bit RGBA pixels, rows from top to bottom without padding.
///
/// A value type on one array: handing an image over does not copy its pixels, changing one that is
/// shared does.
public struct RGBAImage: Hashable, Sendable {
  /// The size of the picture.
  public let size: PixelSize
  /// The pixels (red, green, blue, alpha), row by row.
  public private(set) var pixels: [SIMD4<UInt8>]

  /// Pixels across.
  public var width: Int { size.width }
  /// Rows.
  public var height: Int { size.height }

  /// Makes an image of one colour.
  public init(size: PixelSize, filledWith pixel: SIMD4<UInt8> = .zero) {
    precondition(size.width > 0 && size.height > 0, "a picture has at least one pixel")
    self.size = size
    pixels = [SIMD4<UInt8>](repeating: pixel, count: size.area)
  }

  /// Makes an image of pixels given row by row.
  public init(size: PixelSize, pixels: [SIMD4<UInt8>]) {
    precondition(pixels.count == size.area && size.width > 0, "the pixels must fill the size")
    self.size = size
    self.pixels = pixels
  }

  /// Makes an image by having `fill` write each row from top to bottom, once.
  ///
  /// `fill` gets the row's number and an output span with room for `size.width` pixels, all of which
  /// it must append.
  public init<E: Error>(
    size: PixelSize,
    rows fill: (_ y: Int, _ row: inout OutputSpan<SIMD4<UInt8>>) throws(E) -> Void
  ) throws(E) {
    precondition(size.width > 0 && size.height > 0, "a picture has at least one pixel")
    self.size = size
    pixels = try [SIMD4<UInt8>](capacity: size.area) { output throws(E) in
      for y in 0..<size.height {
        try fill(y, &output)
        precondition(output.count == (y + 1) * size.width, "a row must be filled, and no more")
      }
    }
  }

  /// Copies the pixels of a view.
  public init(copying view: RGBAView) {
    self.init(size: view.size) { y, output in
      let row = view.row(y)
      for x in row.indices { output.append(row[x]) }
    }
  }

  /// A view of the pixels, valid as long as the image is neither changed nor destroyed.
  public var view: RGBAView {
    @_lifetime(borrow self)
    borrowing get { RGBAView(pixels.span, size: size, pixelsPerRow: width) }
  }

  /// The pixels for change, row by row, valid as long as the image is not used otherwise.
  public var mutablePixels: MutableSpan<SIMD4<UInt8>> {
    @_lifetime(&self)
    mutating get { pixels.mutableSpan }
  }

  /// The pixel at column `x` of row `y`.
  public subscript(x: Int, y: Int) -> SIMD4<UInt8> {
    get {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel out of range")
      return pixels[y * width + x]
    }
    set {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel out of range")
      pixels[y * width + x] = newValue
    }
  }

  /// Whether every pixel has alpha 255.
  public var isOpaque: Bool { pixels.allSatisfy { $0.w == 255 } }
}
