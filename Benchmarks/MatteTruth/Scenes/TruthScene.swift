public import SampleScenes

/// A short moving scene whose exact colour and transparency are known.
///
/// All forms are analytic and their edges anti-aliased. A frame depends on the scene and its index
/// alone.
public struct TruthScene: Sendable {
  /// The scene's name, one word or two with a hyphen.
  public let name: String
  /// What it holds, in a few words.
  public let about: String
  /// Pixels in a row.
  public internal(set) var width: Int
  /// Rows.
  public internal(set) var height: Int
  /// Whether the scene is so large that judging it takes several times as long as another.
  public var isLarge: Bool { width * height > 1_000_000 }
  /// How the scene is lit where the condition does not say so itself.
  let light: Light
  /// Whether its colours are near magenta, and with another screen near that one.
  public let hasScreenHues: Bool
  /// Makes the frame at a moment of the loop.
  private let draw: @Sendable (TruthScene, Moment) -> Picture

  /// A screen's light.
  enum Light { case even, uneven }

  /// When a frame is: `time` in 0…1 of a loop that goes on, and how much of it a frame takes.
  struct Moment {
    let index: Int
    let time: Float
    let frameTime: Float
  }

  /// Frames after which most scenes begin anew.
  static let loop = 24

  init(
    _ name: String, _ about: String, width: Int = 640, height: Int = 480, light: Light = .even,
    hasScreenHues: Bool = false,
    draw: @escaping @Sendable (TruthScene, Moment) -> Picture
  ) {
    self.name = name
    self.about = about
    self.width = width
    self.height = height
    self.light = light
    self.hasScreenHues = hasScreenHues
    self.draw = draw
  }

  /// A scene that is painted on one layer.
  init(
    _ name: String, _ about: String, light: Light = .even, hasScreenHues: Bool = false,
    paint: @escaping @Sendable (inout Layer, _ time: Float) -> Void
  ) {
    self.init(name, about, light: light, hasScreenHues: hasScreenHues) { scene, moment in
      var layer = Layer(width: scene.width, height: scene.height)
      paint(&layer, moment.time)
      return layer.picture()
    }
  }

  /// The frame of that index, from 0: straight colour and coverage.
  ///
  /// Scenes that are there to be near the screen's colour are inverted for a green one, so that their
  /// pinks become greens; all others are the same before every screen.
  public func frame(_ index: Int, before screen: SIMD3<UInt8> = [255, 0, 255]) -> Picture {
    let frameTime = 1 / Float(Self.loop)
    let moment = Moment(index: index, time: Float(index) * frameTime, frameTime: frameTime)
    let picture = draw(self, moment)
    return hasScreenHues && screen == [0, 255, 0] ? Self.inverted(picture) : picture
  }

  private static func inverted(_ picture: Picture) -> Picture {
    let pixels = picture.pixels.map { pixel -> SIMD4<UInt8> in
      guard pixel.w > 0 else { return .zero }
      return SIMD4(255 - pixel.x, 255 - pixel.y, 255 - pixel.z, pixel.w)
    }
    return Picture(width: picture.width, height: picture.height, pixels: pixels)
  }

  /// The screen to put it before, of a pure colour such as (255, 0, 255); `isDirty` asks for 30 %
  /// uneven light and grain.
  public func screen(of color: SIMD3<UInt8>, isDirty: Bool) -> Screen {
    if isDirty { return Screen(color: color, unevenness: 0.3, noise: 4) }
    switch light {
    case .even: return Screen(color: color)
    case .uneven:
      // A painted wall is duller than the pure colour: 80 % of it, and 8 % of white.
      let dull = SIMD3<Float>(color) * 0.8 + 0.08 * 255
      return Screen(color: SIMD3<UInt8>(dull), unevenness: 0.22, noise: 2.5)
    }
  }

  /// All scenes.
  public static let all: [TruthScene] = [
    .figure, .hair, .glass, .motion, .nearKey, .pixelArt, .uneven, .smoke, .text, .fur,
    .oddBlocks, .pinks, .mill,
  ]
}
