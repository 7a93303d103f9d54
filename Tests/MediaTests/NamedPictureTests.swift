import Platform
import TestSupport
import Testing

/// Pictures and shapes that a recipe gives beside the input.
@Suite(.temporaryDirectory) struct NamedPictureTests {
  private let clip = Checkout.sample("sprite-magenta.mp4")

  @Test(arguments: [
    #"{"key": {"garbage": {"picture": "CLIP"}}}"#, #"{"key": {"holdOut": {"picture": "CLIP"}}}"#,
    #"{"key": {"plate": "CLIP"}}"#,
    #"{"stills": {"filters": [{"blend-add": {"pictures": ["CLIP"]}}]}}"#,
  ])
  func `a clip is not taken for a picture`(recipe: String) async throws {
    let error = try await failure(recipe.replacing("CLIP", with: clip), of: clip)
    #expect(error?.kind == "input")
    #expect(error?.message == "is a clip, and a picture is needed; take one of its frames")
  }

  @Test(
    arguments: [
      #""key": {"color": "magenta", "to": 0.05, "holdOut": {"picture": "PICTURE"}}"#,
      #""stills": {"at": 0, "filters": [{"blend-add": {"pictures": ["PICTURE"]}}]}"#,
    ])
  func `damage of a picture is told as that picture's, not the clip's`(section: String)
    async throws
  {
    let whole = try Files.read(Checkout.sample("photo.jpg"))
    let cut = try makeFile("cut.jpg", Array(whole.prefix(whole.count / 2)))
    let section = section.replacing("PICTURE", with: cut)
    let output = try await make("{\(section)}", of: clip)
    #expect(output.manifest.partial)
    #expect(!output.manifest.warnings.isEmpty)
    #expect(
      output.manifest.warnings.allSatisfy { $0.hasPrefix("\(cut): the picture is damaged: ") })
    let error = try await failure("{\(section), \"damaged\": \"fail\"}", of: clip)
    #expect(error?.subject == cut)
    #expect(error?.message.hasPrefix("the picture is damaged: ") == true)
  }

  @Test(arguments: ["clean", "gpuimage"], [true, false])
  func `garbage over the whole picture is refused`(mode: String, isOptional: Bool) async throws {
    let recipe = #"""
      {"key": {"mode": "\#(mode)", "color": "magenta", "optional": \#(isOptional),
       "garbage": {"rectangle": [0, 0, "100%", "100%"]}}}
      """#
    let error = try await failure(recipe, of: clip)
    #expect(error?.kind == "input")
    #expect(error?.message == "garbage covers the whole picture, so nothing is left to key")
  }
}
