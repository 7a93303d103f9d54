import Testing

@testable import Recipes

@Suite struct NearestNameTests {
  private static let names = ["threshold", "smoothing", "from", "to", "fps", "gaussian-blur"]

  @Test(arguments: [
    ("treshold", "threshold"), ("thresohld", "threshold"), ("THRESHOLD", "threshold"),
    ("smothing", "smoothing"), ("form", "from"), ("ot", "to"), ("gaussian_blur", "gaussian-blur"),
  ])
  func `a slip of the keys finds its name`(word: String, name: String) {
    #expect(nearestName(to: word, among: Self.names) == name)
  }

  @Test(arguments: ["colour", "x", "", "completely-different"])
  func `a far word finds none`(word: String) {
    #expect(nearestName(to: word, among: Self.names) == nil)
  }
}
