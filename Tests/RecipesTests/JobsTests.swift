import FoundationEssentials
import Imaging
import Testing

@testable import Recipes

/// The recipes that come with keymill.
@Suite struct JobsTests {
  private static let directory = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "jobs").path

  @Test func `each ready recipe is read and the five of the readme are there`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory)
      .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }
    for name in names { _ = try job(name) }
    #expect(
      Set(names).isSuperset(of: ["audio", "eight-bit", "everything", "sprite", "stills"]))
  }

  @Test func `sprite keys magenta as the seed did`() throws {
    let recipe = try job("sprite")
    let expected = KeySettings(
      mode: .gpuimage, colors: [RGBColor(packed: 0xFF00FF)], threshold: 0.15, smoothing: 0.3)
    #expect(recipe.key?.keyer == expected)
    #expect(recipe.key?.formats == [.png])
    #expect(recipe.audio == nil)
    #expect(recipe.stills == nil)
  }

  @Test func `audio copies the track`() throws {
    #expect(try job("audio") == Recipe(audio: AudioSection()))
  }

  @Test func `stills applies the chain of the seed`() throws {
    let section = try #require(try job("stills").stills)
    #expect(
      try section.filters == [
        FilterStep("contrast", ["contrast": 1.032491]),
        FilterStep("gamma", ["gamma": 1.196751]),
        FilterStep("sepia", ["intensity": 0.442238]),
        FilterStep("saturation", ["saturation": 1.198556]),
      ])
    #expect(section.cap == PixelSize(width: 1024, height: 1536))
  }

  @Test func `eight-bit pixellates`() throws {
    #expect(try job("eight-bit").stills?.filters.map(\.name) == ["pixellate"])
  }

  @Test func `everything has all sections`() throws {
    let recipe = try job("everything")
    #expect(recipe.key != nil)
    #expect(recipe.audio != nil)
    #expect(recipe.stills != nil)
  }

  private func job(_ name: String) throws -> Recipe {
    try Recipe(contentsOfFile: "\(Self.directory)/\(name).json")
  }
}
