import Digests
import FoundationEssentials
import JobQueue
import Platform
import Recipes

/// A recipe and an input, and what becomes of them where nothing goes wrong.
struct Work {
  /// How a job with them ends.
  enum Expectation: Equatable {
    /// With this output.
    case output(OutputDigest)
    /// With an error, and no output.
    case failure
  }

  let recipe: JobRecipe
  let input: String
  let expectation: Expectation
  /// Whether its processes are killed each time.
  let isPoison: Bool

  /// Finds out what becomes of a recipe and an input, by `keymill run`, which uses no queue.
  init(_ recipeName: String, _ input: String, in room: Room) throws {
    recipe = try Work.recipe(recipeName, in: room)
    self.input = input
    isPoison = false
    let output = room.path("reference/\(recipeName)-\(Files.name(of: input))")
    let run = try room.run(
      ["run", room.recipe(recipeName), input, "-o", output], log: "reference.log")
    switch run.status {
    case .exited(0):
      expectation = .output(try OutputDigest(of: "\(output)/\(Work.stem(of: input))"))
    case .exited: expectation = .failure
    case .signalled(let signal): throw SoakError("keymill run \(input) ended with \(signal)")
    }
  }

  /// A recipe and an input whose processes are killed each time.
  init(poison recipeName: String, _ input: String, in room: Room) throws {
    recipe = try Work.recipe(recipeName, in: room)
    self.input = input
    expectation = .failure
    isPoison = true
  }

  /// A recipe of the checkout as a job carries it.
  static func recipe(_ name: String, in room: Room) throws -> JobRecipe {
    let json = try Recipe(contentsOfFile: room.recipe(name)).canonicalJSON
    return JobRecipe(
      name: name, digest: SHA256Digest(of: Array(json.utf8)).hex, canonicalJSON: json)
  }

  /// What an output's directory is called.
  static func stem(of input: String) -> String {
    let name = Files.name(of: input)
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// A job for it that publishes into a directory of its own.
  func job(_ number: Int, in room: Room) -> NewJob {
    NewJob(
      input: input, output: room.path("out/\(number)/\(Work.stem(of: input))"), recipe: recipe)
  }
}
