import Testing

@testable import Recipes

@Suite struct CanonicalJSONTests {
  @Test(arguments: [
    ("{\"audio\":{}}", "{ \"damaged\": \"keep\", \"audio\": {\"formats\": [\"copy\", \"copy\"]} }"),
    ("{\"key\":{\"color\":\"lime\"}}", "{\"key\":{\"color\":[\"#00FF00\"],\"despill\":1.0}}"),
    (
      "{\"key\":{\"mode\":\"gpuimage\"}}",
      "{\"key\":{\"threshold\":15e-2,\"mode\":\"gpuimage\",\"smoothing\":0.30}}"
    ),
    ("{\"stills\":{\"at\":[\"0:01.5\"]}}", "{\"stills\":{\"at\":1.5}}"),
    ("{\"stills\":{\"at\":\"every 90s\"}}", "{\"stills\":{\"at\":[\"every 1m30s\"]}}"),
    ("{\"key\":{\"choke\":0}}", "{\"key\":{\"choke\":-0.0},\"audio\":null}"),
    (
      "{\"stills\":{\"filters\":[{\"sepia\":{}}]}}",
      "{\"stills\":{\"filters\":[{\"sepia\":{\"intensity\":1}}]}}"
    ),
  ])
  func `recipes that ask for the same have one form`(first: String, second: String) throws {
    #expect(
      try Recipe(json: first, name: "1").canonicalJSON
        == Recipe(json: second, name: "2").canonicalJSON)
  }

  @Test(arguments: [
    (0.15, "0.15"), (1, "1"), (-3, "-3"), (1e-7, "1e-07"), (1.032491, "1.032491"),
    (9_007_199_254_740_992, "9007199254740992.0"), (1e300, "1e+300"),
  ])
  func `a number has its shortest form`(number: Double, json: String) {
    #expect(canonicalNumber(number) == json)
    #expect(Double(json) == number)
  }

  @Test func `text that holds anything is written as JSON`() throws {
    let text = "\"\\/\u{00}\u{1F}\n\r\t é😀\u{7F}\u{2028}"
    let json = CanonicalValue.text(text).json
    let source = try SourceText(name: "t", bytes: Array(json.utf8))
    guard case .text(let read) = try JSONReader.read(source).value else {
      Issue.record("\(json) is text")
      return
    }
    #expect(Array(read.utf8) == Array(text.utf8))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `reading the canonical form gives the same recipe`(seed: UInt64) throws {
    var random = RecipeWriter(seed: seed)
    for round in 0..<100 {
      let json = random.recipe()
      let recipe = try Recipe(json: json, name: "seed \(seed), round \(round)")
      let canonical = recipe.canonicalJSON
      let again = try Recipe(json: canonical, name: "canonical of seed \(seed), round \(round)")
      #expect(again == recipe, "seed \(seed), round \(round): \(json)")
      #expect(again.canonicalJSON == canonical, "seed \(seed), round \(round): \(json)")
    }
  }
}
