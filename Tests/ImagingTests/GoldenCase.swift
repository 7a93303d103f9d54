import Foundation
import ImageFiles
import Imaging
import TestSupport
import Testing

/// A picture of the golden set.
func goldenImage(_ name: String) throws -> RGBAImage {
  try PNGReader.read(path: SharedFiles.golden(name)).image
}

/// One render of the manifest.
struct GoldenCase: Decodable, CustomTestStringConvertible, Sendable {
  struct Tolerance: Decodable, Sendable {
    let maxAbs: Int
    let outlierFraction: Double
    let meanAbs: Double

    enum CodingKeys: String, CodingKey {
      case maxAbs = "max_abs"
      case outlierFraction = "outlier_fraction"
      case meanAbs = "mean_abs"
    }
  }

  let id: String
  let filter: String
  private let given: [String: Value?]
  let inputs: [String]
  let output: String
  let tolerance: Tolerance

  enum CodingKeys: String, CodingKey {
    case id, filter, inputs, output, tolerance
    case given = "parameters"
  }

  var testDescription: String { id }

  /// The chain of four filters that stands among the manifest's filters.
  static let seedChain = "seed_preset_chain"

  /// The filter's name in a recipe.
  var filterName: String { filter.split(separator: "_").joined(separator: "-") }

  /// The parameters; those that are null in the manifest are left to the filter.
  var parameters: [String: FilterValue] { given.compactMapValues { $0?.value } }

  /// All cases; none where the corpus is absent.
  static let all: [GoldenCase] = {
    struct Manifest: Decodable { let cases: [GoldenCase] }
    let file = URL(filePath: SharedFiles.golden("manifest.json"))
    guard let data = try? Data(contentsOf: file) else { return [] }
    do {
      return try JSONDecoder().decode(Manifest.self, from: data).cases
    } catch {
      Issue.record(error, "the manifest cannot be read")
      return []
    }
  }()

  /// The cases of some filters.
  static func all(of filters: [String]) -> [GoldenCase] {
    all.filter { filters.contains($0.filter) }
  }

  /// Expects a picture to be the stored one, within the case's tolerance.
  func expectWithinTolerance(_ picture: RGBAImage) throws {
    let stored = try goldenImage(output)
    try #require(picture.size == stored.size)
    let difference = PictureDifference(picture, stored)
    #expect(difference.share(above: tolerance.maxAbs) <= tolerance.outlierFraction)
    #expect(difference.mean <= tolerance.meanAbs)
  }

  /// A parameter's value as the manifest has it.
  struct Value: Decodable, Sendable {
    let value: FilterValue

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        value = .number(number)
      } else if let word = try? container.decode(String.self) {
        value = .text(word)
      } else {
        value = .list(try container.decode([Value].self).map(\.value))
      }
    }
  }
}

/// How far two pictures are apart.
struct PictureDifference {
  private(set) var greatest = 0
  private(set) var mean = 0.0
  private var histogram = [Int](repeating: 0, count: 256)
  private var count = 0

  init(_ a: RGBAImage, _ b: RGBAImage) {
    precondition(a.size == b.size, "pictures of one size are compared")
    for (p, q) in zip(a.pixels, b.pixels) {
      for channel in 0..<4 { histogram[abs(Int(p[channel]) - Int(q[channel]))] += 1 }
    }
    count = a.pixels.count * 4
    greatest = histogram.lastIndex { $0 > 0 } ?? 0
    mean = Double(histogram.enumerated().reduce(0) { $0 + $1.offset * $1.element }) / Double(count)
  }

  /// The share of samples that differ by more than a step count.
  func share(above limit: Int) -> Double {
    Double(histogram[(limit + 1)...].reduce(0, +)) / Double(count)
  }
}
