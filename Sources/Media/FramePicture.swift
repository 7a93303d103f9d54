import FFmpeg
import Imaging

/// A decoded frame as the keyer and the stills see it: upright, at the size wanted.
///
/// 8-bit 4:2:0 of its own size is lent as it lies in the decoder's buffer, and 4:2:0 of more bits and 4:2:2
/// are brought down to it (``inPlanes(with:)``), before they are turned where they have to be
/// (``unturned(besides:)``). Everything else is converted to RGBA first, in bands where the picture is
/// very large.
struct FramePicture: Sendable {
  /// The decoded frame.
  let frame: Frame
  /// How the stored pixels are turned to stand upright.
  let orientation: Orientation
  /// The size of the upright picture.
  let size: PixelSize
  private let isScaled: Bool

  /// A frame to be seen at an upright size; nil for its own.
  init(_ frame: Frame, size: PixelSize? = nil) {
    self.frame = frame
    orientation = Orientation(frame.displayTransform)
    let stored = PixelSize(width: frame.width, height: frame.height)
    let own = orientation.size(of: stored)
    self.size = size ?? own
    isScaled = self.size != own
  }

  /// A frame to be seen as it is stored.
  private init(stored frame: Frame) {
    self.frame = frame
    orientation = .upright
    size = PixelSize(width: frame.width, height: frame.height)
    isScaled = false
  }

  /// The size before turning, to which the frame is scaled.
  var storedSize: PixelSize { orientation.size(of: size) }

  /// The width of one of the upright picture's pixels by its height.
  var sampleAspectRatio: Rational {
    let ratio = frame.sampleAspectRatio
    return orientation.quarterTurnsClockwise % 2 == 0 ? ratio : ratio.inverse
  }

  /// Whether the decoder's planes can be read as they are.
  var isDirect: Bool {
    frame.pixelFormat.isYUV420P8 && isStored && encoding != nil
  }

  /// The matrix that the frame is decoded with.
  var matrix: ColourDescription.Matrix {
    frame.colour.resolvedMatrix(width: frame.width, height: frame.height)
  }

  /// The picture in 8-bit 4:2:0, where its own planes are of another depth or order, or 4:2:2: what is
  /// lost is less than what raising chroma along luma's edges gains.
  func inPlanes(with scaler: Scaler) throws(FFmpegError) -> FramePicture {
    let format = frame.pixelFormat
    guard format.hasHalvedChroma, !format.isYUV420P8, isStored, encoding != nil else { return self }
    return FramePicture(try scaler.convert(frame, to: .yuv420p))
  }

  /// The picture before it is turned, where it can be keyed so: converted to RGBA, it would lose what
  /// raising chroma along luma's edges gains.
  ///
  /// It is itself where it stands upright, is scaled or has other planes, and beside `aids`, which are
  /// given upright.
  func unturned(besides aids: KeyAids) -> FramePicture {
    guard orientation != .upright, !isScaled, aids == KeyAids() else { return self }
    guard frame.pixelFormat.hasHalvedChroma, encoding != nil else { return self }
    return FramePicture(stored: frame)
  }

  /// What the frame's codes stand for; nil for matrices that only swscale knows.
  private var encoding: YCbCrEncoding? {
    let own: YCbCrEncoding.Matrix
    switch matrix {
    case .bt601: own = .bt601
    case .bt709: own = .bt709
    case .bt2020: own = .bt2020
    default: return nil
    }
    return YCbCrEncoding(matrix: own, range: frame.colour.isFullRange ? .full : .limited)
  }

  /// Lends the planes of a frame that ``isDirect``.
  func withPlanes<R, E: Error>(_ body: (YUV420View) throws(E) -> R) throws(E) -> R {
    let (width, height) = (frame.width, frame.height)
    let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
    let encoding = encoding ?? .bt601Limited
    let siting: ChromaSiting = frame.chromaLocation == .center ? .center : .left
    return try frame.withPlane(0) { y, yStride throws(E) in
      try frame.withPlane(1) { cb, cbStride throws(E) in
        try frame.withPlane(2) { cr, crStride throws(E) in
          try body(
            YUV420View(
              luma: PlaneView(y, stride: yStride, width: width, height: height),
              cb: PlaneView(cb, stride: cbStride, width: chromaWidth, height: chromaHeight),
              cr: PlaneView(cr, stride: crStride, width: chromaWidth, height: chromaHeight),
              encoding: encoding, siting: siting))
        }
      }
    }
  }

  /// The upright picture as straight RGBA.
  func rgba(with scaler: Scaler) throws(FFmpegError) -> RGBAImage {
    let image = try stored(storedSize, with: scaler)
    return orientation == .upright ? image : image.oriented(by: orientation)
  }

  /// Whether the picture stands as it is stored, so that it can be converted in bands.
  var isStored: Bool { orientation == .upright && !isScaled }

  /// Some rows of a picture that ``isStored`` as straight RGBA.
  func band(_ rows: Range<Int>, with scaler: Scaler) throws(FFmpegError) -> RGBAImage {
    var image = RGBAImage(size: PixelSize(width: size.width, height: rows.count))
    var pixels = image.mutablePixels
    try scaler.convertRowsToRGBA(frame, rows: rows, into: &pixels)
    return image
  }

  /// The picture as it is stored, as straight RGBA of a size.
  func stored(_ size: PixelSize, with scaler: Scaler) throws(FFmpegError) -> RGBAImage {
    var image = RGBAImage(size: size)
    var pixels = image.mutablePixels
    try scaler.convertToRGBA(frame, width: size.width, height: size.height, into: &pixels)
    return image
  }
}

extension Orientation {
  /// The orientation of a display matrix, which mirrors before it turns: that is to turn the other
  /// way before mirroring.
  init(_ transform: DisplayTransform) {
    let turns = transform.isMirrored ? -transform.quarterTurns : transform.quarterTurns
    self.init(quarterTurnsClockwise: turns, isMirrored: transform.isMirrored)
  }
}
