import Imaging
import Testing

@Suite struct FilterCatalogueTests {
  @Test func `every filter is made by its defaults`() throws {
    let image = RGBAImage(size: PixelSize(width: 5, height: 3), filledWith: SIMD4(10, 200, 90, 77))
    for filter in FilterCatalogue.all {
      let chain = FilterChain([try FilterStep(filter.name)])
      #expect(chain.apply(to: image).size == image.size, "\(filter.name)")
      for parameter in filter.parameters {
        let step = try FilterStep(filter.name, [parameter.name: parameter.defaultValue])
        #expect(FilterChain([step]).apply(to: image) == chain.apply(to: image))
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
  @Test func `a chain of curves is what its filters give one by one`() throws {
    let image = RGBAImage(size: PixelSize(width: 256, height: 3)) { y, row in
      for x in 0..<256 { row.append(SIMD4(UInt8(x), UInt8(255 - x), UInt8(x % 7 + y), UInt8(x))) }
    }
    let steps = [
      try FilterStep("contrast", ["contrast": 1.4]), try FilterStep("gamma", ["gamma": 0.6]),
      try FilterStep("contrast", ["contrast": 0.7]),
    ]
    let together = FilterChain(steps).apply(to: image)
    let apart = steps.reduce(image) { FilterChain([$1]).apply(to: $0) }
    #expect(together == apart)
  }

  @Test func `a curve after a matrix reads the colour rounded`() throws {
    var random = SeededRandom(seed: 9)
    let image = RGBAImage(size: PixelSize(width: 700, height: 2)) { _, row in
      for _ in 0..<700 {
        row.append(SIMD4(random.byte(), random.byte(), random.byte(), random.byte()))
      }
    }
    let steps = [
      try FilterStep("saturation", ["saturation": 1.7]), try FilterStep("gamma", ["gamma": 2.1]),
    ]
    let apart = steps.reduce(image) { FilterChain([$1]).apply(to: $0) }
    #expect(FilterChain(steps).apply(to: image) == apart)
  }

  @Test func `no filters leave the picture as it is`() {
    let image = RGBAImage(size: PixelSize(width: 3, height: 3), filledWith: SIMD4(1, 2, 3, 4))
    #expect(FilterChain([]).apply(to: image) == image)
  }
}

@Suite(.enabled(if: SharedCorpus.hasGoldens, Comment(rawValue: SharedCorpus.absence)))
struct FilterGoldenTests {
  static let renders = GoldenCase.all(
    of: FilterCatalogue.all.map { $0.name.split(separator: "-").joined(separator: "_") })
  static let chainRenders = GoldenCase.all(of: ["seed_preset_chain"])

  @Test func `each filter of the catalogue has a render`() {
    #expect(Set(Self.renders.map(\.filter)).count == FilterCatalogue.all.count)
  }

  @Test(arguments: renders)
  func `a filter gives what GPUImage renders`(render: GoldenCase) throws {
    let name = render.filter.split(separator: "_").joined(separator: "-")
    let step = try FilterStep(name, render.parameters.mapValues(\.value))
    let result = FilterChain([step]).apply(to: try SharedCorpus.image(render.inputs[0]))
    let difference = PictureDifference(result, try SharedCorpus.image(render.output))
    let tolerance = render.tolerance
    #expect(difference.share(above: tolerance.maxAbs) <= tolerance.outlierFraction)
    #expect(difference.mean <= tolerance.meanAbs)
  }

  @Test(arguments: chainRenders)
  func `the seed's chain gives what GPUImage renders`(render: GoldenCase) throws {
    func value(_ name: String) throws -> FilterValue {
      try #require(render.parameters[name]?.value)
    }
    let chain = FilterChain([
      try FilterStep("contrast", ["contrast": value("contrast")]),
      try FilterStep("gamma", ["gamma": value("gamma")]),
      try FilterStep("sepia", ["intensity": value("sepiaIntensity")]),
      try FilterStep("saturation", ["saturation": value("saturation")]),
    ])
    let result = chain.apply(to: try SharedCorpus.image(render.inputs[0]))
    let difference = PictureDifference(result, try SharedCorpus.image(render.output))
    #expect(difference.greatest <= 2)
    #expect(difference.mean <= 0.5)
  }
}
