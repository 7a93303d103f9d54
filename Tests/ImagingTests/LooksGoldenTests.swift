import Imaging
import TestSupport
import Testing

@Suite(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
struct LooksGoldenTests {
  /// The cases of all filters that the catalogue has.
  static let renders = GoldenCase.all.filter { FilterCatalogue.filter(named: $0.filterName) != nil }
  static let chainRenders = GoldenCase.all.filter { $0.filter == GoldenCase.seedChain }

  @Test func `the catalogue has every filter of the manifest`() {
    let wanted = Set(GoldenCase.all.map(\.filterName)).subtracting(["seed-preset-chain"])
    #expect(wanted.subtracting(FilterCatalogue.all.map(\.name)).isEmpty)
  }

  @Test(arguments: renders)
  func `a filter gives what GPUImage renders`(render: GoldenCase) throws {
    let step = try FilterStep(
      render.filterName, render.parameters, pictures: Array(render.inputs.dropFirst()))
    let chain = try FilterChain([step], picture: goldenImage)
    try render.expectWithinTolerance(chain.apply(to: goldenImage(render.inputs[0])))
  }

  @Test(arguments: chainRenders)
  func `the seed's chain gives what GPUImage renders`(render: GoldenCase) throws {
    func value(_ name: String) throws -> FilterValue { try #require(render.parameters[name]) }
    let chain = FilterChain([
      try FilterStep("contrast", ["contrast": value("contrast")]),
      try FilterStep("gamma", ["gamma": value("gamma")]),
      try FilterStep("sepia", ["intensity": value("sepiaIntensity")]),
      try FilterStep("saturation", ["saturation": value("saturation")]),
    ])
    let result = chain.apply(to: try goldenImage(render.inputs[0]))
    let difference = PictureDifference(result, try goldenImage(render.output))
    #expect(difference.greatest <= 2)
    #expect(difference.mean <= 0.5)
  }
}
