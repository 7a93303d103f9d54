import Imaging
import TestSupport
import Testing

@Suite struct FilterCatalogueTests {
  @Test func `every filter is made by its defaults`() throws {
    let image = RGBAImage(size: PixelSize(width: 5, height: 3), filledWith: SIMD4(10, 200, 90, 77))
    for filter in FilterCatalogue.all {
      func result(_ parameters: [String: FilterValue]) throws -> RGBAImage {
        let pictures = filter.pictures.map { _ in "other" }
        let step = try FilterStep(filter.name, parameters, pictures: pictures)
        return FilterChain([step], picture: { _ in image }).apply(to: image)
      }
      let made = try result([:])
      #expect(made.size == image.size, "\(filter.name)")
      for parameter in filter.parameters {
        guard let value = parameter.defaultValue else { continue }
        #expect(try result([parameter.name: value]) == made)
      }
    }
  }

  @Test func `an unknown name is an error with the nearest one`() {
    let errors: [(String, String)] = [
      ("pixelate", #"unknown filter "pixelate"; did you mean "pixellate"?"#),
      ("chroma_key", #"unknown filter "chroma_key"; did you mean "chroma-key"?"#),
      ("zzzzzz", #"unknown filter "zzzzzz""#),
    ]
    for (name, message) in errors {
      #expect {
        _ = try FilterStep(name)
      } throws: {
        "\($0)" == message
      }
    }
  }

  struct Mistake: Sendable {
    let filter: String
    let parameter: String
    let value: FilterValue
    let message: String
  }

  static let mistakes = [
    Mistake(
      filter: "contrast", parameter: "contrst", value: 2,
      message: #"filter "contrast" has no parameter "contrst"; did you mean "contrast"?"#),
    Mistake(
      filter: "sepia", parameter: "x", value: 1,
      message: #"filter "sepia" has no parameter "x"; it has intensity"#),
    Mistake(
      filter: "contrast", parameter: "contrast", value: 5,
      message: "contrast: contrast must be between 0 and 4, not 5"),
    Mistake(
      filter: "contrast", parameter: "contrast", value: [1],
      message: "contrast: contrast must be a number, not [1]"),
    Mistake(
      filter: "gamma", parameter: "gamma", value: -0.5,
      message: "gamma: gamma must be between 0 and 3, not -0.5"),
    Mistake(
      filter: "chroma-key", parameter: "colorToReplace", value: [1, 0],
      message: "chroma-key: colorToReplace must be a list of 3 numbers, not [1, 0]"),
    Mistake(
      filter: "chroma-key", parameter: "colorToReplace", value: [1, 0, 2],
      message: "chroma-key: colorToReplace must be between 0 and 1, not [1, 0, 2]"),
  ]

  @Test(arguments: mistakes)
  func `a wrong parameter is an error that says what is right`(mistake: Mistake) {
    #expect {
      _ = try FilterStep(mistake.filter, [mistake.parameter: mistake.value])
    } throws: {
      "\($0)" == mistake.message
    }
  }
}

@Suite struct FilterChainTests {
  /// Colours of all kinds, more than a tile across and with a rest that fills no block.
  static let colors: RGBAImage = {
    var random = SeededRandom(seed: 9)
    return RGBAImage(size: PixelSize(width: 701, height: 3)) { _, row in
      for _ in 0..<701 {
        row.append(SIMD4(random.byte(), random.byte(), random.byte(), random.byte()))
      }
    }
  }()

  static func chains() throws -> [[FilterStep]] {
    [
      [
        try FilterStep("contrast", ["contrast": 1.4]), try FilterStep("gamma", ["gamma": 0.6]),
        try FilterStep("contrast", ["contrast": 0.7]),
      ],
      [
        try FilterStep("saturation", ["saturation": 1.7]), try FilterStep("gamma", ["gamma": 2.1]),
      ],
      [
        try FilterStep("sepia", ["intensity": 0.4]), try FilterStep("saturation"),
        try FilterStep("hue", ["hue": 20]), try FilterStep("opacity", ["opacity": 0.7]),
        try FilterStep("brightness", ["brightness": 0.1]), try FilterStep("vignette"),
      ],
      [
        try FilterStep("sharpen", ["sharpness": 0.1]), try FilterStep("contrast"),
        try FilterStep("sharpen", ["sharpness": 0.1]), try FilterStep("swirl"),
        try FilterStep("grayscale"),
      ],
    ]
  }

  @Test(arguments: try chains())
  func `a chain is nearly what its filters give one by one`(steps: [FilterStep]) {
    let together = FilterChain(steps).apply(to: Self.colors)
    let apart = steps.reduce(Self.colors) { FilterChain([$1]).apply(to: $0) }
    let difference = PictureDifference(together, apart)
    // A rounding less at each filter, which the later ones may double.
    #expect(difference.greatest <= 2)
    #expect(difference.mean <= 0.5)
  }

  @Test func `the picture handed over is left as it was where it is kept`() throws {
    let image = Self.colors
    let before = image.pixels
    _ = FilterChain([try FilterStep("color-invert"), try FilterStep("sharpen")]).apply(to: image)
    #expect(image.pixels == before)
  }

  @Test func `no filters leave the picture as it is`() {
    let image = RGBAImage(size: PixelSize(width: 3, height: 3), filledWith: SIMD4(1, 2, 3, 4))
    #expect(FilterChain([]).apply(to: image) == image)
  }
}
