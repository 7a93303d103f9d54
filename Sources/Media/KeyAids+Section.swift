import Imaging
import Recipes

extension KeyAids {
  /// Draws the masks of a section for frames of a size, and reads the pictures that it names;
  /// `warnings` tells of those that are damaged.
  ///
  /// - Throws: `MediaError` about the first picture that cannot be read, or does not fit.
  init(_ section: KeySection, size: PixelSize, warnings: Warnings) throws(MediaError) {
    self.init(
      garbage: try KeyMask(section.garbage, size: size, warnings),
      holdOut: try KeyMask(section.holdOut, size: size, warnings),
      plate: try section.plate.map { path throws(MediaError) in
        try Self.plate(path, size: size, warnings)
      })
  }

  private static func plate(
    _ path: String, size: PixelSize, _ warnings: Warnings
  ) throws(MediaError) -> RGBAImage {
    let picture = try PictureFile.read(path, warnings: warnings)
    guard picture.size != size else { return picture }
    let (own, wanted) = (
      Double(picture.width) / Double(picture.height), Double(size.width) / Double(size.height)
    )
    guard abs(own / wanted - 1) < 0.02 else {
      throw MediaError(
        .input, path,
        "the plate is \(picture.size) and the frames are \(size); it has to show the same view")
    }
    return picture.resized(to: size)
  }
}

extension KeyMask {
  fileprivate init(_ shapes: [MaskShape], size: PixelSize, _ warnings: Warnings) throws(MediaError)
  {
    var drawn: [Shape] = []
    for shape in shapes { drawn.append(try Shape(shape, size: size, warnings)) }
    self.init(drawn, on: size)
  }
}

extension KeyMask.Shape {
  fileprivate init(_ shape: MaskShape, size: PixelSize, _ warnings: Warnings) throws(MediaError) {
    func corner(_ x: Place, _ y: Place) -> SIMD2<Double> {
      SIMD2(x.on(size.width), y.on(size.height))
    }
    switch shape {
    case .rectangle(let x, let y, let width, let height):
      let (from, extent) = (corner(x, y), corner(width, height))
      let to = from + extent
      self = .polygon([from, SIMD2(to.x, from.y), to, SIMD2(from.x, to.y)])
    case .polygon(let corners):
      self = .polygon(corners.map { corner($0.x, $0.y) })
    case .picture(let path):
      let picture = try PictureFile.read(path, warnings: warnings)
      self = .plane(MaskPlane(picture.size == size ? picture : picture.resized(to: size)))
    }
  }
}
