import Foundation
import Platform
import TestSupport
import Testing

/// Carries a recipe out once, for all tests of a suite to look at.
struct OutputTrait: SuiteTrait, TestScoping {
  @TaskLocal static var output: MadeOutput?

  let recipe: String
  let sample: String

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory.make()
    defer { try? Files.removeTree(directory) }
    let order = JobOrder(
      recipe: try String(contentsOfFile: Checkout.recipe(recipe), encoding: .utf8),
      input: Checkout.sample(sample),
      staging: "\(directory)/out")
    let outcomes = try await carryOut([order])
    let output = try MadeOutput(try #require(outcomes.first), in: order.staging)
    try await Self.$output.withValue(output) { try await function() }
  }
}

extension Trait where Self == OutputTrait {
  /// The output of a recipe of `jobs/` for a file of `samples/`, found through `suiteOutput()`.
  static func output(of recipe: String, for sample: String) -> Self {
    Self(recipe: recipe, sample: sample)
  }
}

/// The output that the running suite's trait has made.
func suiteOutput() throws -> MadeOutput { try #require(OutputTrait.output) }
