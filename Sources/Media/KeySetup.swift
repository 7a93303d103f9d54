import FFmpeg
import Imaging
import Recipes

/// What the frames of a clip are keyed by, found in the first of them that is wanted.
struct KeySetup {
  /// The settings and the screens they met.
  let plan: KeyPlan
  /// The matrix that a clip is decoded with which states none; `nil` for the rule by size.
  let matrix: ColourDescription.Matrix?

  /// Measures the screen in a frame, and notes what a person should know of it.
  ///
  /// - Throws: `KeyError` where there is none and the section is not optional; `MediaError` about a
  ///   picture that the section names.
  init(_ section: KeySection, first frame: Frame, warnings: Warnings) throws {
    let picture = FramePicture(frame, size: section.size)
    let aids = try KeyAids(section, size: picture.size, warnings: warnings)
    let choice = MatrixChoice(frame, section, aids)
    matrix = try choice?.matrix
    if let matrix {
      warnings.note("colours are not tagged: decoded as \(matrix.name), by the screen")
    }
    let seen =
      try matrix.map { FramePicture(try frame.assuming($0), size: section.size) } ?? picture
    do {
      plan = try seen.plan(section.keyer, aids: aids)
    } catch let error as KeyError {
      // Whoever needs keyed frames is not served by a thousand opaque ones.
      guard error == .transparentAlready || section.optional && error != .allShutOut else {
        throw error
      }
      warnings.note("\(error); frames keep the alpha they have")
      plan = KeyPlan(section.keyer, screens: [], aids: aids)
    }
    for screen in plan.screens where !screen.isFound {
      let other = plan.otherScreen.map { "the screen seems to be \($0.color)" }
      warnings.note(
        "hardly anything of the first frame is near the key colour \(screen.color)"
          + (section.plate == nil ? "; " : ", which is the plate's; ")
          + (other ?? "no other screen was found either"))
    }
  }
}

extension FramePicture {
  /// Plans the key by this picture, which is measured small where it has to be converted: the screen
  /// is not in the details.
  func plan(_ settings: KeySettings, aids: KeyAids = KeyAids()) throws -> KeyPlan {
    let direct = try unturned(besides: aids).inPlanes(with: Scaler())
    if direct.isDirect {
      return try direct.withPlanes { try KeyPlan(settings, aids: aids, measuring: $0) }
    }
    let small = storedSize.fitted(under: PixelSize(width: 512, height: 512))
    let image = try stored(small, with: Scaler()).oriented(by: orientation)
    return try KeyPlan(settings, aids: aids, measuring: image.view)
  }
}

/// Which matrix a clip was made with that states none.
///
/// Players go by size. A clip made from RGB sprites is often BT.601 at any size, and its screen then
/// comes out shifted; the screen's own colour tells.
private struct MatrixChoice {
  /// By how much the other matrix must be better, as a distance of colours where 1 is white.
  private static let margin: Float = 0.02
  /// How near to a pure colour a screen must be that nobody named.
  private static let nearPure: Float = 0.06
  private static let pure = [0xff00ff, 0x00ff00, 0x0000ff, 0x00ffff, 0xff0000, 0xffff00]
    .map { RGBColor(packed: $0) }

  private let frame: Frame
  private let section: KeySection
  private let aids: KeyAids

  /// `nil` where the frame tells, or is not made with a matrix at all.
  init?(_ frame: Frame, _ section: KeySection, _ aids: KeyAids) {
    let format = frame.pixelFormat
    guard frame.colour.matrix == .unspecified, !format.isRGB, !format.isGray else { return nil }
    self.frame = frame
    self.section = section
    self.aids = aids
  }

  /// The matrix to take in place of the one by size; `nil` where that is as good.
  var matrix: ColourDescription.Matrix? {
    get throws {
      let usual = frame.colour.resolvedMatrix(width: frame.width, height: frame.height)
      let other: ColourDescription.Matrix = usual == .bt709 ? .bt601 : .bt709
      guard let distance = try distance(with: other) else { return nil }
      guard let usualDistance = try self.distance(with: usual) else { return nil }
      return distance + Self.margin < usualDistance ? other : nil
    }
  }

  /// How far the screen is from where it should be; `nil` where that cannot be said.
  private func distance(with matrix: ColourDescription.Matrix) throws -> Float? {
    var settings = section.keyer
    settings.mode = .clean
    let picture = FramePicture(try frame.assuming(matrix), size: section.size)
    let plan: KeyPlan
    do { plan = try picture.plan(settings, aids: aids) } catch is KeyError { return nil }
    guard let screen = plan.screens.first, screen.isFound else { return nil }
    if let named = settings.colors.first { return screen.distance(to: named) }
    let nearest = Self.pure.map(screen.distance).min() ?? .infinity
    return nearest < Self.nearPure || settings.colors.isEmpty ? nearest : nil
  }
}

extension ColourDescription.Matrix {
  /// Its name for people.
  var name: String {
    switch self {
    case .bt601: "BT.601"
    case .bt709: "BT.709"
    case .bt2020: "BT.2020"
    case .rgb: "RGB"
    case .unspecified: "unspecified"
    case .other(let number): "matrix \(number)"
    }
  }
}
