import Glibc

/// A little windmill that walks on the spot, with a key, a balloon and a bee: a clip of everything
/// that is hard to key, with its exact transparency.
///
/// It has an outlined figure, hair-thin lines of 0.6–2 px whatever the size, holes (the key's
/// handle, the lattice of the sails), a half-transparent balloon, wings and shadow, and fast parts
/// blurred by an open shutter. The last frame leads into the first. A frame depends on the size,
/// the count and its index alone.
public struct MillScene: Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Frames until the scene begins anew.
  public let frameCount: Int

  /// A scene of any size and length.
  public init(width: Int, height: Int, frameCount: Int) {
    precondition(width > 0 && height > 0 && frameCount > 0, "a scene has a size and a length")
    self.width = width
    self.height = height
    self.frameCount = frameCount
  }

  /// The frame of that index, from 0.
  public func frame(_ index: Int) -> Picture {
    let time = Float(index % frameCount) / Float(frameCount)
    let stage = Stage(width: width, height: height, time: time, frameTime: 1 / Float(frameCount))
    var canvas = Canvas(region: Region(columns: 0..<width, rows: 0..<height))
    stage.paintShadow(on: &canvas)
    stage.paintSails(on: &canvas)
    stage.paintBalloon(on: &canvas)
    stage.paintMill(on: &canvas)
    stage.paintKey(on: &canvas)
    stage.paintBee(on: &canvas)
    return canvas.picture()
  }
}

/// Where and when the things of the scene are.
///
/// Places are given in units of a hundredth of the smaller side, from the middle of the picture.
struct Stage {
  let unit: Float
  let middle: Point
  /// The moment in the loop, 0…1.
  let time: Float
  /// How much of the loop one frame takes.
  let frameTime: Float

  init(width: Int, height: Int, time: Float, frameTime: Float) {
    unit = Float(min(width, height)) / 100
    middle = Point(Float(width), Float(height)) / 2
    self.time = time
    self.frameTime = frameTime
  }

  /// A wave that runs through so many times in the loop, -1…1.
  func wave(_ times: Float, delay: Float = 0) -> Float {
    sin(2 * .pi * (times * time + delay))
  }

  /// The point at (x, y) units from the middle of the picture.
  func place(_ x: Float, _ y: Float) -> Point {
    middle + Point(x, y) * unit
  }

  /// The point at (x, y) units from the middle of the mill's body, which sways and bobs.
  func onMill(_ x: Float, _ y: Float) -> Point {
    place(x + 5 * wave(1), y + 6 - abs(wave(2)) * 2)
  }

  /// The loop's moment that lies `share` of the shutter's opening, half a frame, after this.
  func moment(_ share: Float) -> Float {
    time + share * frameTime / 2
  }
}

/// The scene's colours; none near magenta or green.
enum Palette {
  static let ink = Color(hex: 0x1B1F3B)
  static let plaster = Color(hex: 0xFFF4DC)
  static let plasterShade = Color(hex: 0xE3C9A0)
  static let roof = Color(hex: 0x4A8FE0)
  static let roofShade = Color(hex: 0x24539E)
  static let scarf = Color(hex: 0xF26A2E)
  static let scarfShade = Color(hex: 0xB8401A)
  static let cheek = Color(hex: 0xF59A7C)
  static let canvas = Color(hex: 0xFBF7EC)
  static let wood = Color(hex: 0x7A4A24)
  static let boot = Color(hex: 0x8A3B1E)
  static let gold = Color(hex: 0xFFD24A)
  static let goldShade = Color(hex: 0xC98A12)
  static let balloon = Color(hex: 0x7CC4F5)
  static let wing = Color(hex: 0xDFF1FF)
}
