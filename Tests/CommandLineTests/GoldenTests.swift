import Foundation
import Imaging
import TestSupport
import Testing

/// Renders of the original shaders against `keymill run`, from picture to PNG.
///
/// The kernels are compared in `ImagingTests`; this is the way there and back.
@Suite(.enabled(if: SharedFiles.areHere, SharedFiles.absence)) final class GoldenTests {
  private let keymill: KeymillProcess

  init() throws { keymill = try KeymillProcess() }

  deinit { keymill.cleanUp() }

  @Test(arguments: GoldenCase.all)
  func `a filtered still is the shader's, within the case's tolerance`(golden: GoldenCase) throws {
    let output = try keymill.make(recipe: golden.recipe, of: SharedFiles.golden(golden.inputs[0]))
    let made = try Pixels.read(output.path("stills/0001.png"))
    let expected = try Pixels.read(SharedFiles.golden(golden.output))
    try #require(made.size == expected.size)
    var (sum, outliers) = (0, 0)
    for (a, b) in zip(made.pixels, expected.pixels) {
      for channel in 0..<4 {
        let difference = abs(Int(a[channel]) - Int(b[channel]))
        sum += difference
        outliers += difference > golden.mostDifference ? 1 : 0
      }
    }
    let samples = Double(4 * made.pixels.count)
    #expect(Double(sum) / samples <= golden.meanDifference)
    #expect(Double(outliers) / samples <= golden.tolerance.outlierFraction)
  }
}

/// A render of the golden set.
struct GoldenCase: Decodable, Sendable, CustomTestStringConvertible {
  struct Tolerance: Decodable, Sendable {
    let maxAbs: Int
    let meanAbs: Double
    let outlierFraction: Double
  }

  /// A number, a list of them, or nothing.
  enum Value: Decodable, Sendable {
    case number(Double)
    case list([Double])
    case none

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let list = try? value.decode([Double].self) {
        self = .list(list)
      } else {
        self = .none
      }
    }

    var json: String? {
      switch self {
      case .number(let number): "\(number)"
      case .list(let list): "\(list)"
      case .none: nil
      }
    }
  }

  let id: String
  let filter: String
  let inputs: [String]
  let output: String
  let parameters: [String: Value]
  let tolerance: Tolerance

  var testDescription: String { id }

  private var isChain: Bool { filter == "seed_preset_chain" }

  /// How far a sample may be from the render.
  ///
  /// The original rounds to 8 bits between the filters of a
  /// chain, ours does not: that is nearer to what is meant, and further from the render.
  var mostDifference: Int { isChain ? max(2, tolerance.maxAbs) : tolerance.maxAbs }

  /// How far samples may be on average.
  var meanDifference: Double { isChain ? max(0.5, tolerance.meanAbs) : tolerance.meanAbs }

  /// The case as a recipe of a still.
  var recipe: String {
    #"{"stills": {"cap": "4096x4096", "filters": [\#(filters)], "formats": ["png"]}}"#
  }

  private var filters: String {
    guard isChain else { return step(filter, parameters) }
    let steps = [
      ("contrast", "contrast", "contrast"), ("gamma", "gamma", "gamma"),
      ("sepia", "intensity", "sepiaIntensity"), ("saturation", "saturation", "saturation"),
    ]
    return steps.map { step($0.0, [$0.1: parameters[$0.2] ?? .none]) }.joined(separator: ", ")
  }

  private func step(_ name: String, _ parameters: [String: Value]) -> String {
    let fields = parameters.compactMap { name, value in value.json.map { "\"\(name)\": \($0)" } }
    let hyphenated = name.replacing("_", with: "-")
    return "{\"\(hyphenated)\": {\(fields.sorted().joined(separator: ", "))}}"
  }

  /// The cases of the filters that this version has; none where the set is not there.
  static let all: [GoldenCase] = {
    struct Manifest: Decodable { let cases: [GoldenCase] }
    let filters: Set = [
      "contrast", "gamma", "sepia", "saturation", "pixellate", "seed_preset_chain", "chroma_key",
    ]
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let file = URL(filePath: SharedFiles.golden("manifest.json"))
    guard let json = try? Data(contentsOf: file),
      let manifest = try? decoder.decode(Manifest.self, from: json)
    else { return [] }
    return manifest.cases.filter { filters.contains($0.filter) }
  }()
}
