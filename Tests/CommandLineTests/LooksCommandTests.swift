import Foundation
import TestSupport
import Testing

/// `keymill filters` and `keymill looks` where they draw, and the page that is made of them.
@Suite struct LooksCommandTests {
  private let keymill: KeymillProcess
  private let photo = Checkout.root.appending(path: "samples/photo.jpg").path(percentEncoded: false)
  private let looks = Checkout.root.appending(path: "jobs/looks").path(percentEncoded: false)

  init() throws { keymill = try KeymillProcess() }

  @Test func `the page of the filters is what the declarations say`() throws {
    defer { keymill.cleanUp() }
    let page = try String(
      contentsOf: Checkout.root.appending(path: "docs/filters.md"), encoding: .utf8)
    #expect(try keymill.run("filters", "--markdown").output == page, "run `make docs-filters`")
  }

  @Test func `the looks are listed and drawn on one sheet`() throws {
    defer { keymill.cleanUp() }
    let list = try keymill.run("looks", "--folder", looks)
    #expect(list.output.contains("phostock"))
    let sheet = keymill.path("sheet.png")
    let drawn = try keymill.run(
      "looks", photo, "-o", sheet, "--folder", looks, "--size", "64")
    #expect(drawn.exitCode == 0, "\(drawn.errors)")
    #expect(drawn.errors.isEmpty)
    #expect(try Data(contentsOf: URL(filePath: sheet)).starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func `a filter is drawn before and after, with a picture or without`() throws {
    defer { keymill.cleanUp() }
    let file = keymill.path("swirl.jpg")
    for input in [[], ["--input", photo, "--with", #"{"angle": 0.4}"#]] {
      let result = try keymill.run(["filters", "swirl", "--preview", file, "--size", "80"] + input)
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try Data(contentsOf: URL(filePath: file)).starts(with: [0xFF, 0xD8]))
    }
  }

  @Test(arguments: [
    (["looks", "a.jpg"], "--output"), (["looks", "-o", "a.jpg"], "picture"),
    (["looks", "a.jpg", "-o", "a.gif"], ".jpg or .png"),
    (["filters", "sepia", "--input", "a.jpg"], "--preview"),
    (["filters", "--preview", "a.jpg"], "name of a filter"),
  ])
  func `what makes no sense is refused as such`(arguments: [String], word: String) throws {
    defer { keymill.cleanUp() }
    let result = try keymill.run(arguments)
    #expect(result.exitCode == 64)
    #expect(result.errors.contains(word))
  }

  @Test func `a wrong parameter of a preview is named`() throws {
    defer { keymill.cleanUp() }
    let file = keymill.path("a.png")
    let result = try keymill.run(
      "filters", "sepia", "--preview", file, "--with", #"{"intensty": 1}"#)
    #expect(result.exitCode == 65)
    #expect(result.errors.contains(#"did you mean "intensity"?"#))
  }
}
