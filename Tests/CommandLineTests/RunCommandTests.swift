import Foundation
import Platform
import TestSupport
import Testing

/// `keymill run` on inputs that it takes.
@Suite final class RunCommandTests {
  private let keymill: KeymillProcess
  private let track = Checkout.sample("track.mp3")

  init() throws { keymill = try KeymillProcess() }

  deinit { keymill.cleanUp() }

  @Test func `the output's path is the result, all else goes to the error stream`() throws {
    let result = try keymill.run("run", Checkout.recipe("audio"), track)
    #expect(result.exitCode == 0)
    #expect(result.output == keymill.path("out/track") + "\n")
    #expect(result.errors.hasPrefix("\(track): 1 file, 210.7 kB, "))
    #expect(keymill.published(in: "out/track") == ["audio", "manifest.json"])
    #expect(keymill.published() == ["track"])
  }

  @Test func `quiet is quiet`() throws {
    let result = try keymill.run("run", "-q", Checkout.recipe("audio"), track)
    #expect((result.exitCode, result.output, result.errors) == (0, "", ""))
  }

  @Test func `JSON tells of each output`() throws {
    let result = try keymill.run("run", "--json", Checkout.recipe("audio"), track)
    let outputs = try #require(try result.json()["outputs"] as? [[String: Any]])
    #expect(outputs.count == 1)
    #expect(outputs[0]["output"] as? String == keymill.path("out/track"))
    #expect(outputs[0]["files"] as? Int == 1)
    #expect(outputs[0]["partial"] as? Bool == false)
  }

  @Test func `a second run replaces the first one's output, all of it`() throws {
    let recipe = #"{"stills": {"cap": "40x40", "formats": ["png", "jpeg"]}}"#
    let photo = Checkout.sample("photo.jpg")
    let first = try keymill.make(recipe: recipe, of: photo)
    #expect(first.names(in: "stills") == ["0001.jpg", "0001.png"])
    let second = try keymill.make(recipe: #"{"stills": {"cap": "30x30"}}"#, of: photo)
    #expect(second.directory == first.directory)
    #expect(second.names(in: "stills") == ["0001.jpg"])
    #expect(second.list("stills").first?["width"] as? Int == 23)
    #expect(keymill.published() == ["photo"])
  }

  @Test func `another input of the same name gets a directory of its own`() throws {
    try FileManager.default.createDirectory(
      atPath: keymill.path("other"), withIntermediateDirectories: true)
    try keymill.copy(track, as: "other/track.mp3")
    for _ in 0..<2 {
      for input in [track, keymill.path("other/track.mp3")] {
        #expect(try keymill.run("run", Checkout.recipe("audio"), input).exitCode == 0)
      }
    }
    #expect(keymill.published() == ["track", "track-2"])
  }

  @Test func `of several inputs the good ones are made and the bad ones told`() throws {
    try keymill.write("text.mp3", "no sound")
    let result = try keymill.run(
      "run", Checkout.recipe("audio"), "text.mp3", track, "missing.mp3")
    #expect(result.exitCode == 65)
    #expect(keymill.published() == ["track"])
    #expect(result.errors.contains("keymill: text.mp3: is not media"))
    #expect(result.errors.contains("keymill: missing.mp3: no such file"))
    #expect(result.reason == "keymill: 2 of 3 inputs failed")
  }

  @Test func `a copied track is kept in the audio cache, on one inode with the output`() throws {
    #expect(try keymill.run("run", Checkout.recipe("audio"), track).exitCode == 0)
    let output = try FileStatus(keymill.path("out/track/audio/track.mp3"))
    let cache = FileManager.default.enumerator(atPath: keymill.path("cache"))
    let kept = cache?.compactMap { $0 as? String }.filter { $0.hasSuffix(".mp3") } ?? []
    #expect(kept.count == 1)
    let status = try FileStatus(keymill.path("cache/\(kept.first ?? "")"))
    #expect(status.isSameFile(as: output) || output.linkCount == 1)
    #expect(status.size == output.size)
  }

  @Test(arguments: [
    "100%.mp3", "shot %03d.mp3", "%s%n%x.mp3", "a:b.mp3", "file:x.mp3", "http:%2f%2fhost.mp3",
    "two  spaces .mp3", "grün 视频 🎬.mp3", "'quote' \"double\" & co.mp3", "back\\slash.mp3",
    "[x] *? {a,b}.mp3", "--vf=null.mp3", "-", "line\nbreak.mp3", ".hidden.mp3", "no extension",
    "many.dots.in.it.mp3", "e\u{301}.mp3",
  ])
  func `any name will do for an input, and for the output made of it`(name: String) throws {
    try keymill.copy(track, as: name)
    let output = try keymill.make(recipe: #"{"audio": {}}"#, of: name, output: "out \(name)")
    let input = output.section("input")["path"] as? String ?? ""
    #expect(Array(input.utf8) == Array(keymill.path(name).utf8))
    let stem = name.contains(".mp3") ? String(name.dropLast(4)) : name
    #expect(output.names(in: "audio") == ["\(stem).mp3"])
    #expect(keymill.published(in: "out \(name)") == [stem])
    #expect(
      try Files.read(output.path("audio/\(stem).mp3")) == Files.read(track))
  }

  @Test func `the name of a still's input is no pattern`() throws {
    for name in ["shot 001.jpg", "shot 002.jpg", "shot %03d.jpg"] {
      try keymill.copy(Checkout.sample("photo.jpg"), as: name)
    }
    let output = try keymill.make(
      recipe: #"{"stills": {"cap": "40x40"}}"#, of: "shot %03d.jpg")
    #expect(output.names(in: "stills") == ["0001.jpg"])
    #expect(keymill.published() == ["shot %03d"])
  }

  @Test(.timeLimit(.minutes(10))) func `an interrupted run publishes nothing and leaves nothing`()
    throws
  {
    // The first input's result tells that the second one is at work.
    let results = try Platform.Pipe()
    let messages = try FileDescriptor.open(keymill.path("messages"), .create)
    var environment = Environment.current
    environment["XDG_CACHE_HOME"] = keymill.path("cache")
    let process = try ChildProcess(
      ChildProcess.Launch(
        KeymillProcess.executable.path(percentEncoded: false),
        [
          "run", try keymill.write("r.json", #"{"audio": {}, "key": {"optional": true}}"#), track,
          Checkout.sample("sprite-magenta.mp4"),
        ],
        environment: environment,
        descriptors: [1: results.writer.rawValue, 2: messages.rawValue],
        workingDirectory: keymill.directory.path(percentEncoded: false)))
    guard case .bytes(let bytes) = try results.reader.read() else {
      Issue.record("nothing was published")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == keymill.path("out/track") + "\n")
    #expect(process.send(.interrupt))
    let exit = try process.wait()
    #expect(exit.status == .exited(75))
    #expect(keymill.published() == ["track"])
    let words = String(decoding: try Files.read(keymill.path("messages")), as: UTF8.self)
    #expect(
      words.hasSuffix("sprite-magenta.mp4: interrupted; nothing was published\n"), "\(words)")
  }
}
