import Foundation
import Imaging
import Testing

@testable import Recipes

@Suite struct RecipeTests {
  @Test func `empty sections have the defaults of the contract`() throws {
    let recipe = try Recipe(json: "{\"key\":{},\"audio\":{},\"stills\":{}}", name: "r")
    #expect(
      recipe.canonicalJSON == """
        {"audio":{"bitrate":null,"bits":null,"channels":null,"formats":["copy"],"from":null,\
        "loudness":null,"optional":false,"peaksBits":8,"peaksPerSecond":[20],"quality":null,\
        "rate":null,"report":false,"to":null,"track":"default","trimSilence":false,\
        "truePeak":-1},"damaged":"keep",\
        "key":{"alpha":"straight","choke":0,"clipBlack":0,"clipWhite":1,"color":"#ff00ff",\
        "despill":1,"feather":0,"formats":["png"],"fps":null,"from":null,"garbage":[],\
        "holdOut":[],"mode":"clean","optional":false,"plate":null,"size":null,"smoothing":null,\
        "surface":"auto","threshold":null,"to":null,"unmix":true},\
        "stills":{"at":["10%"],"cap":"1024x1536","filters":[],"formats":["jpeg"],"look":null,\
        "optional":false,"quality":90}}
        """)
  }

  @Test func `the recipe that the documentation begins with has every field at its default`() throws
  {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/recipes.md")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    let block = try #require(text.components(separatedBy: "```").dropFirst().first).dropFirst(4)
    let wanted = Recipe(key: KeySection(), audio: AudioSection(), stills: StillsSection())
    #expect(try Recipe(json: String(block), name: "r") == wanted)
    let fields = wanted.canonicalJSON.matches(of: /"(\w+)":/).map(\.1).sorted()
    #expect(block.matches(of: /"(\w+)":/).map(\.1).sorted() == fields)
  }

  @Test func `sections made in code equal empty ones that are read`() throws {
    let read = try Recipe(json: "{\"key\":{},\"audio\":{},\"stills\":{}}", name: "r")
    #expect(read == Recipe(key: KeySection(), audio: AudioSection(), stills: StillsSection()))
  }

  @Test func `clean remembers whether threshold and smoothing were given`() throws {
    #expect(try key("{}").keyer.threshold == nil)
    #expect(try key("{\"threshold\":null}").keyer.threshold == nil)
    #expect(try key("{\"threshold\":0.15}").keyer.threshold == 0.15)
    #expect(try key("{\"threshold\":0.15}").keyer.smoothing == nil)
  }

  @Test func `gpuimage always has a threshold and smoothing`() throws {
    let section = try key("{\"mode\":\"gpuimage\"}")
    #expect(section.keyer.threshold == 0.15)
    #expect(section.keyer.smoothing == 0.3)
    #expect(try key("{\"smoothing\":0.2,\"mode\":\"gpuimage\"}").keyer.smoothing == 0.2)
  }

  @Test(
    arguments: [
      ("\"magenta\"", [0xFF00FF]), ("\"#0F0\"", [0x00FF00]), ("\"#12aBcD\"", [0x12ABCD]),
      ("[\"lime\",\"#0000ff\"]", [0x00FF00, 0x0000FF]), ("\"auto\"", []),
      ("[\"lime\",\"blue\",\"#0f0\"]", [0x00FF00, 0x0000FF]), ("[\"lime\",\"lime\"]", [0x00FF00]),
    ] as [(String, [UInt32])])
  func `a screen has one colour or several or is found`(json: String, packed: [UInt32]) throws {
    #expect(try key("{\"color\":\(json)}").keyer.colors.map(\.packed) == packed)
  }

  @Test(
    arguments: [
      ("-50", .pixels(-50)), ("\"25%\"", .share(0.25)), ("\"-50%\"", .share(-0.5)),
      ("\"-1000%\"", .share(-10)), ("\"-0%\"", .share(0)),
    ] as [(String, Place)])
  func `a place is inside the picture or outside`(json: String, place: Place) throws {
    let side = Place.pixels(20)
    let section = try key("{\"garbage\":{\"rectangle\":[\(json),0,20,20]}}")
    let shape = MaskShape.rectangle(x: place, y: .pixels(0), width: side, height: side)
    #expect(section.garbage == [shape])
    let recipe = Recipe(key: section)
    #expect(try Recipe(json: recipe.canonicalJSON, name: "r") == recipe)
    #expect(!recipe.canonicalJSON.contains("-0%"))
  }

  @Test(
    arguments: [
      ("1.5", .time(.milliseconds(1500))), ("0", .time(.zero)), ("\"10%\"", .percent(10)),
      ("\"33.3%\"", .percent(33.3)), ("\"1:30\"", .time(.seconds(90))),
      ("\"00:01:30.250\"", .time(.milliseconds(90_250))),
      ("\"100:00:00\"", .time(.seconds(360_000))),
      ("\"every 5s\"", .every(.seconds(5))), ("\"every 1m30s\"", .every(.seconds(90))),
      ("\"every 250ms\"", .every(.milliseconds(250))), ("\"every 0.5h\"", .every(.seconds(1800))),
    ] as [(String, StillMoment)])
  func `a moment is read in each of its forms`(json: String, moment: StillMoment) throws {
    #expect(try stills("{\"at\":[\(json)]}").at == [moment])
    #expect(try stills("{\"at\":\(json)}").at == [moment])
  }

  @Test(arguments: [
    "1:60", "1:60:00", "1:2:3:4", ":30", "1:", "1:-5", "a:b", "1e1:00", "1:30 ", "9999999:00",
  ])
  func `a timecode out of form is refused`(timecode: String) {
    #expect(Duration(timecode: timecode) == nil)
  }

  @Test(arguments: ["", "5", "s", "5 s", "-5s", "5d", "1e3s", "5s5", "99999999h"])
  func `a length out of form is refused`(text: String) {
    #expect(Duration(withUnits: text) == nil)
  }

  @Test func `moments keep their order and formats do not`() throws {
    let section = try stills("{\"at\":[3,\"10%\",1],\"formats\":[\"png\",\"jpeg\",\"png\"]}")
    #expect(section.at == [.time(.seconds(3)), .percent(10), .time(.seconds(1))])
    #expect(section.formats == [.jpeg, .png])
  }

  @Test func `a cap of null is no cap`() throws {
    #expect(try stills("{\"cap\":null}").cap == nil)
    #expect(try stills("{\"cap\":\"640X480\"}").cap == PixelSize(width: 640, height: 480))
  }

  @Test func `a filter has its defaults filled in`() throws {
    let filters = try stills("{\"filters\":[{\"sepia\":{}},{\"gamma\":{\"gamma\":2}}]}").filters
    #expect(
      try filters == [
        FilterStep("sepia", ["intensity": 1]), FilterStep("gamma", ["gamma": 2]),
      ])
  }

  @Test(
    arguments: [
      ("\"default\"", .standard), ("\"all\"", .all), ("3", .number(3)),
      ("\"eng\"", .language("eng")), ("\"de\"", .language("de")),
    ] as [(String, TrackChoice)])
  func `a track is chosen in each of its forms`(json: String, choice: TrackChoice) throws {
    #expect(try audio("{\"track\":\(json)}").track == choice)
  }

  @Test(
    arguments: [
      ("{}", .standard), ("{\"bitrate\":null,\"quality\":null}", .standard),
      ("{\"bitrate\":\"192k\"}", .bits(192_000)), ("{\"bitrate\":64000}", .bits(64_000)),
      ("{\"quality\":80}", .quality(80)),
    ] as [(String, AudioSection.Rate)])
  func `a bit rate is read in each of its forms`(json: String, rate: AudioSection.Rate) throws {
    #expect(try audio(json).bitrate == rate)
  }

  @Test(arguments: [("true", -60), ("false", nil), ("null", nil), ("-45.5", -45.5)])
  func `silence is trimmed at a level`(json: String, level: Double?) throws {
    #expect(try audio("{\"trimSilence\":\(json)}").trimSilence == level)
  }

  @Test func `zooms rise and do not repeat`() throws {
    #expect(try audio("{\"peaksPerSecond\":[100,20,100]}").peaksPerSecond == [20, 100])
  }

  @Test func `the top says what to do about damage`() throws {
    #expect(try Recipe(json: "{\"audio\":{},\"damaged\":\"fail\"}", name: "r").damaged == .fail)
  }

  private func key(_ json: String) throws -> KeySection {
    try #require(try Recipe(json: "{\"key\":\(json)}", name: "r").key)
  }

  private func audio(_ json: String) throws -> AudioSection {
    try #require(try Recipe(json: "{\"audio\":\(json)}", name: "r").audio)
  }

  private func stills(_ json: String) throws -> StillsSection {
    try #require(try Recipe(json: "{\"stills\":\(json)}", name: "r").stills)
  }
}
