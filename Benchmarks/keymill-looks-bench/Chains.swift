import Imaging

/// The chains that are compared with each other.
enum Chains {
  /// A chain beside a shorter one, and the most that it may cost of that.
  struct Comparison {
    let name: String
    let base: FilterChain
    let chain: FilterChain
    let bar: Double
  }

  /// An example of a filter as a chain of its own; what blends does so with the picture itself, as its
  /// peer does.
  static func example(of filter: FilterDeclaration, on picture: SamplePixels) -> FilterChain {
    let example = FilterExample(of: filter)
    guard filter.name.hasPrefix("blend-") else { return example.chain(for: SamplePixels.size) }
    return FilterChain([example.step]) { _ in picture.image }
  }

  /// The seed's preset.
  static let seedChain = chain(seed)

  static let comparisons = [
    Comparison(
      name: "the seed's contrast; with gamma, sepia and saturation",
      base: chain(Array(seed.prefix(1))), chain: seedChain, bar: 1.25),
    Comparison(
      name: "one point filter; ten of them", base: chain(Array(seed.prefix(1))),
      chain: chain(seed + six), bar: 2),
    Comparison(
      name: "gaussian-blur, sigma 2; sigma 50",
      base: chain([("gaussian-blur", ["blurRadiusInPixels": 2])]),
      chain: chain([("gaussian-blur", ["blurRadiusInPixels": 50])]), bar: 2),
  ]

  private typealias Step = (name: String, parameters: [String: FilterValue])

  private static let seed: [Step] = [
    ("contrast", ["contrast": 1.032491]), ("gamma", ["gamma": 1.196751]),
    ("sepia", ["intensity": 0.442238]), ("saturation", ["saturation": 1.198556]),
  ]

  private static let six: [Step] = [
    ("brightness", ["brightness": 0.02]), ("exposure", ["exposure": 0.1]), ("hue", ["hue": 10]),
    ("rgb", ["red": 1.1]), ("levels", ["min": [0.1, 0.1, 0.1]]), ("gamma", ["gamma": 0.9]),
  ]

  private static func chain(_ steps: [Step]) -> FilterChain {
    FilterChain(
      steps.map { step in
        guard let step = try? FilterStep(step.name, step.parameters) else {
          preconditionFailure("\(step.name) has other parameters")
        }
        return step
      })
  }
}
