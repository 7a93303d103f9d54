import Foundation
import ImageFiles
import Imaging
import MatteTruth

/// The pictures of a scene: truth, keymill and the best other keyer, over black, white and a
/// checkerboard, and the place where keymill is worst, magnified.
enum SceneSheet {
  /// The part that is shown of a picture that is larger.
  private static let tile = PixelSize(width: 640, height: 480)
  private static let magnification = 8

  /// Writes a sheet for each outcome that has pictures, as `SCENE-CONDITION.png`.
  static func write(_ outcomes: [Outcome], of scene: TruthScene, to directory: URL) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for outcome in outcomes {
      guard let ours = outcome.ours, let best = outcome.best else { continue }
      let truth = outcome.truth.picture
      let sides = [("truth", truth), ("keymill", ours), (best.trial.keyer, best.matte)]
      let worst = worstPlace(of: ours, truth)
      var sheet = ContactSheet(count: 5 * sides.count, style: .init(tile: tile, columns: 3))
      for ground in Ground.allCases {
        for (name, matte) in sides {
          sheet.add(
            crop(matte, over: ground, at: middle(of: matte)), label: "\(name) over \(ground)")
        }
      }
      for ground in [Ground.black, .white] {
        for (name, matte) in sides {
          sheet.add(
            magnified(matte, over: ground, at: worst),
            label: "\(name) at \(worst.x) x \(worst.y)")
        }
      }
      let file = directory.appendingPathComponent("\(scene.name)-\(outcome.condition.rawValue).png")
      try write(sheet.picture, to: file)
    }
  }

  /// What a matte is laid over.
  private enum Ground: CaseIterable {
    case black, white, checker

    func gray(x: Int, y: Int) -> Float {
      switch self {
      case .black: 0
      case .white: 1
      case .checker: (x / 16 + y / 16).isMultiple(of: 2) ? 0.35 : 0.85
      }
    }
  }

  private typealias Corner = (x: Int, y: Int)

  private static func middle(of matte: MattePicture) -> Corner {
    (max(0, matte.width - tile.width) / 2, max(0, matte.height - tile.height) / 2)
  }

  /// The upper left corner of the window whose composites over black and white are most wrong.
  private static func worstPlace(of matte: MattePicture, _ truth: MattePicture) -> Corner {
    let window = (width: tile.width / magnification, height: tile.height / magnification)
    var worst: (corner: Corner, error: Float) = ((0, 0), -1)
    for y in stride(from: 0, through: matte.height - window.height, by: window.height / 2) {
      for x in stride(from: 0, through: matte.width - window.width, by: window.width / 2) {
        var error: Float = 0
        for row in y..<y + window.height {
          for column in x..<x + window.width {
            let index = row * matte.width + column
            let difference = matte.pixels[index] - truth.pixels[index]
            error += (difference * difference).sum()
          }
        }
        if error > worst.error { worst = ((x, y), error) }
      }
    }
    return worst.corner
  }

  private static func crop(_ matte: MattePicture, over ground: Ground, at corner: Corner)
    -> RGBAImage
  {
    image(width: min(tile.width, matte.width), height: min(tile.height, matte.height)) {
      shown(matte, over: ground, x: corner.x + $0, y: corner.y + $1)
    }
  }

  private static func magnified(_ matte: MattePicture, over ground: Ground, at corner: Corner)
    -> RGBAImage
  {
    image(width: tile.width, height: tile.height) {
      shown(
        matte, over: ground, x: corner.x + $0 / magnification, y: corner.y + $1 / magnification)
    }
  }

  private static func image(
    width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> SIMD4<UInt8>
  ) -> RGBAImage {
    RGBAImage(size: PixelSize(width: width, height: height)) { y, row in
      for x in 0..<width { row.append(pixel(x, y)) }
    }
  }

  private static func shown(_ matte: MattePicture, over ground: Ground, x: Int, y: Int)
    -> SIMD4<UInt8>
  {
    let pixel = matte.pixels[y * matte.width + x]
    var color = pixel + (1 - pixel.w) * ground.gray(x: x, y: y)
    color.w = 1
    return SIMD4<UInt8>(
      (color.clamped(lowerBound: .zero, upperBound: .one) * 255).rounded(.toNearestOrEven))
  }

  private static func write(_ image: RGBAImage, to file: URL) throws {
    var encoder = try PNGEncoder()
    encoder.begin(size: image.size, color: .rgba, isSRGB: true)
    try encoder.write(rows: image.pixels.span)
    try encoder.finish()
    let bytes = encoder.bytes
    try Data((0..<bytes.count).map { index in bytes[index] }).write(to: file)
  }
}
