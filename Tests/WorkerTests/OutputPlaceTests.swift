import Platform
import TestSupport
import Testing

@testable import Worker

@Suite(.temporaryDirectory) struct OutputPlaceTests {
  @Test(arguments: [
    ("/in/clip.mp4", "clip"), ("clip", "clip"), ("a.tar.gz", "a.tar"), (".hidden", ".hidden"),
    (".a.mp4", ".a"), ("clip.", "clip"), ("..mp4", "..mp4"), ("...mp4", "...mp4"),
    ("-x %03d:a.mp4", "-x %03d:a"), ("grün 🎬.mp4", "grün 🎬"),
  ])
  func `an output is named after its input without the extension`(input: String, stem: String) {
    #expect(OutputPlace.stem(of: input) == stem)
  }

  @Test func `an input has its place under the directory, the same each time`() throws {
    var place = try OutputPlace(path("out"))
    #expect(try place.path(for: "/in/clip.mp4") == path("out/clip"))
    #expect(try place.path(for: "/in/clip.mp4") == path("out/clip"))
  }

  @Test func `inputs of one name get numbered places`() throws {
    var place = try OutputPlace(path("out"))
    #expect(try place.path(for: "/a/clip.mp4") == path("out/clip"))
    #expect(try place.path(for: "/b/clip.mp4") == path("out/clip-2"))
    #expect(try place.path(for: "/c/clip.mov") == path("out/clip-3"))
    #expect(try place.path(for: "/b/clip.mp4") == path("out/clip-2"))
  }

  @Test func `an output on the disk belongs to the input in its manifest`() throws {
    try makeOutput("out/clip", of: "/a/clip.mp4")
    var place = try OutputPlace(path("out"))
    #expect(try place.path(for: "/b/clip.mp4") == path("out/clip-2"))
    #expect(try place.path(for: "/a/clip.mp4") == path("out/clip"))
  }

  @Test func `a place that a job in the queue claims belongs to its input`() throws {
    let claimed = [path("out/clip"): "/a/clip.mp4"]
    var place = try OutputPlace(path("out"), claimed: claimed)
    #expect(try place.path(for: "/b/clip.mp4") == path("out/clip-2"))
    #expect(try place.path(for: "/a/clip.mp4") == path("out/clip"))
  }

  @Test func `an output with a damaged manifest is left alone`() throws {
    try write("{", to: "out/clip/manifest.json")
    var place = try OutputPlace(path("out"))
    #expect(try place.path(for: "/a/clip.mp4") == path("out/clip-2"))
  }

  @Test func `an empty directory is free`() throws {
    try Files.makeDirectory(path("out/clip"))
    var place = try OutputPlace(path("out"))
    #expect(try place.path(for: "/a/clip.mp4") == path("out/clip"))
  }

  @Test func `what keymill did not make is refused`() throws {
    try write("mine", to: "out/clip/photo.jpg")
    try write("mine", to: "out/song")
    var place = try OutputPlace(path("out"))
    let foreign = #expect(throws: OutputError.self) { try place.path(for: "/a/clip.mp4") }
    #expect(foreign?.description.hasPrefix("\(path("out/clip")): is in the way") == true)
    let file = #expect(throws: OutputError.self) { try place.path(for: "/a/song.mp3") }
    #expect(file?.message == "is in the way: not a directory")
  }
}
