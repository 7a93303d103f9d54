/// A filter at work, for the pages and pictures that explain it.
public struct FilterExample: Sendable {
  /// The filter with parameters that show what it does, and names for the pictures it takes.
  public let step: FilterStep
  private let filter: FilterDeclaration

  /// An example of a filter.
  public init(of filter: FilterDeclaration) {
    self.filter = filter
    let pictures = filter.pictures.indices.map { "picture-\($0 + 1).png" }
    guard
      let step = try? FilterStep(
        filter.name, Self.parameters[filter.name] ?? [:], pictures: pictures)
    else { preconditionFailure("the example of \(filter.name) does not fit its declaration") }
    self.step = step
  }

  /// The filter as it stands in a recipe.
  public var json: String {
    var members = filter.parameters.compactMap { parameter in
      step.parameters[parameter.name].map { "\"\(parameter.name)\": \($0)" }
    }
    if !step.pictures.isEmpty {
      let names = step.pictures.map { "\"\($0)\"" }.joined(separator: ", ")
      members.append("\"pictures\": [\(names)]")
    }
    let body = members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
    return "{ \"\(step.name)\": \(body) }"
  }

  /// The filter as a chain, for pictures of a size; the pictures that the filter takes are made up.
  public func chain(for size: PixelSize) -> FilterChain {
    let kinds = Dictionary(
      zip(step.pictures, filter.pictures), uniquingKeysWith: { first, _ in first })
    return FilterChain([step]) { name in Self.madeUp(kinds[name] ?? "", size) }
  }

  /// What shows more than the defaults do, of which many leave the picture as it is.
  private static let parameters: [String: [String: FilterValue]] = [
    "brightness": ["brightness": 0.2],
    "canny-edge": ["upperThreshold": 0.2],
    "chroma-key": ["colorToReplace": [0.9, 0.6, 0.3], "thresholdSensitivity": 0.15],
    "chroma-key-blend": ["colorToReplace": [0.9, 0.6, 0.3], "thresholdSensitivity": 0.15],
    "color-matrix": [
      "colorMatrix": [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]
    ],
    "contrast": ["contrast": 1.8],
    "convolution-3x3": ["convolutionKernel": [-1, 0, 1, -2, 1, 2, -1, 0, 1]],
    "crop": ["cropRegion": [0.25, 0.25, 0.5, 0.5]],
    "exposure": ["exposure": 0.8],
    "gamma": ["gamma": 0.6],
    "highlight-shadow": ["shadows": 0.8, "highlights": 0.3],
    "highlight-shadow-tint": ["shadowTintIntensity": 0.6, "highlightTintIntensity": 0.4],
    "levels": ["min": [0.2, 0.2, 0.2], "max": [0.8, 0.8, 0.8]],
    "opacity": ["opacity": 0.4],
    "posterize": ["colorLevels": 4],
    "rgb": ["red": 1.3, "blue": 0.7],
    "saturation": ["saturation": 1.9],
    "sharpen": ["sharpness": 2],
    "skin-tone": ["skinToneAdjust": 0.8],
    "straighten": ["angle": 10],
    "tone-curve": ["rgbCompositeControlPoints": [[0, 0.15], [0.4, 0.25], [0.7, 0.85], [1, 1]]],
    "transform": ["affineTransform": [0.7, 0.25, -0.25, 0.7, 0, 0]],
    "unsharp-mask": ["intensity": 2.5],
    "vibrance": ["vibrance": 1],
    "white-balance": ["temperature": 7500],
    "zoom-blur": ["blurSize": 4],
  ]

  private static func madeUp(_ kind: String, _ size: PixelSize) -> RGBAImage {
    switch kind {
    case FilterCatalogue.tableDescription: lookupTable
    case FilterCatalogue.sheetDescription: tileSheet
    default: rainbow(size)
    }
  }

  /// A table that warms the light and cools the shadows.
  private static let lookupTable: RGBAImage = {
    let size = PixelSize(width: 512, height: 512)
    return RGBAImage(size: size) { y, row in
      for x in 0..<size.width {
        let (red, green) = (Float(x % 64) / 63, Float(y % 64) / 63)
        let blue = Float(y / 64 * 8 + x / 64) / 63
        let tint = 0.25 * (red + green + blue) / 3
        row.append(
          pixel(SIMD3(red * 0.85 + tint, green * 0.95 + tint * 0.25, 0.15 + blue * 0.65)))
      }
    }
  }()

  /// Tiles with a disc each, from white to black.
  private static let tileSheet: RGBAImage = {
    let size = PixelSize(width: 512, height: 512)
    return RGBAImage(size: size) { y, row in
      for x in 0..<size.width {
        let light = 1 - Float(y / 64 * 8 + x / 64) / 63
        let (right, down) = (Float(x % 64) - 31.5, Float(y % 64) - 31.5)
        let isDisc = right * right + down * down < 27 * 27
        row.append(pixel(SIMD3(repeating: isDisc ? light : light * 0.8)))
      }
    }
  }()

  /// Colours that change from left to right, and fade to nothing from top to bottom.
  private static func rainbow(_ size: PixelSize) -> RGBAImage {
    RGBAImage(size: size) { y, row in
      for x in 0..<size.width {
        let place = Float(x) / Float(size.width) * 6
        func channel(_ peak: Float) -> Float {
          min(max(2 - min(abs(place - peak), abs(place - peak - 6), abs(place - peak + 6)), 0), 1)
        }
        var color = pixel(SIMD3(channel(0), channel(2), channel(4)))
        color.w = UInt8(255 - 255 * y / size.height)
        row.append(color)
      }
    }
  }

  private static func pixel(_ color: SIMD3<Float>) -> SIMD4<UInt8> {
    let code = SIMD3<UInt8>(
      (color.clamped(lowerBound: .zero, upperBound: .one) * 255).rounded(.toNearestOrEven))
    return SIMD4(code, 255)
  }
}
