import FFmpeg
import Foundation
import TestSupport
import Testing

/// Peak memory of jobs, as the supervisor measures each in its own process.
@Suite final class MemoryTests {
  private let keymill: KeymillProcess

  init() throws { keymill = try KeymillProcess() }

  deinit { keymill.cleanUp() }

  /// Runs a job for each input through the queue, one after the other, and gives the job stories.
  private func stories(recipe: String, inputs: [String]) throws -> [[String: Any]] {
    try keymill.write("recipe.json", recipe)
    let submitted = try keymill.run(["submit", "--json", "recipe.json", "--"] + inputs).json()
    let jobs = try #require(submitted["jobs"] as? [[String: Any]])
    _ = try keymill.run("work", "--drain", "--processes", "1")
    return try jobs.map { job in
      try keymill.run("show", "--json", "\(job["id"] as? Int ?? 0)").json()
    }
  }

  private func peak(_ story: [String: Any]) throws -> Double {
    let attempts = try #require(story["attempts"] as? [[String: Any]])
    return Double(try #require(attempts.last?["peakRSS"] as? Int)) / 1e6
  }

  @Test func `a clip twelve times as long takes no more memory`() throws {
    let clips = try [10, 120].map { seconds in
      let path = keymill.path("clip-\(seconds).mkv")
      try Self.writeClip(path, frames: seconds * 10)
      return path
    }
    let recipe = """
      {
        "key": {"color": "lime", "mode": "gpuimage", "formats": ["mask"]},
        "stills": {"at": ["every 10s"], "cap": "40x40"}
      }
      """
    let stories = try stories(recipe: recipe, inputs: clips)
    #expect(stories.map { $0["state"] as? String } == ["completed", "completed"])
    let peaks = try stories.map(peak)
    #expect(peaks[1] < peaks[0] * 1.1, "\(peaks) MB")
  }

  @Test func `a track sixty times as long takes no more memory`() throws {
    let tracks = try [10, 600].map { seconds in
      let path = keymill.path("track-\(seconds).wav")
      try Self.wave(seconds: seconds).write(to: URL(filePath: path))
      return path
    }
    let stories = try stories(recipe: #"{"audio": {"formats": ["copy", "wav"]}}"#, inputs: tracks)
    #expect(stories.map { $0["state"] as? String } == ["completed", "completed"])
    let peaks = try stories.map(peak)
    #expect(peaks[1] < peaks[0] * 1.1, "\(peaks) MB")
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `pictures that declare more than they are do not fill the memory, and others go on`()
    throws
  {
    let bombs = [
      "synthetic/syn-png-bomb-header-30000x30000.png", "photo/17000x17000.avif",
      "photo/Bad_reallybig.bmp", "photo/decompression_bomb.gif",
    ]
    let inputs = bombs.map(SharedFiles.media) + [Checkout.sample("photo.jpg")]
    let stories = try stories(recipe: #"{"stills": {"cap": "64x64"}}"#, inputs: inputs)
    #expect(
      stories.map { $0["state"] as? String }
        == Array(repeating: "failed", count: 4) + ["completed"])
    for story in stories.dropLast() {
      #expect(try peak(story) < 200)
      #expect((story["attempts"] as? [Any])?.count == 1)
    }
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a picture of 144 million pixels that is valid is made within bounds`() throws {
    let stories = try stories(
      recipe: #"{"stills": {"cap": "64x64"}}"#,
      inputs: [SharedFiles.media("synthetic/syn-png-valid-1bit-12000x12000.png")])
    #expect(stories.first?["state"] as? String == "completed")
    #expect(try peak(try #require(stories.first)) < 700)
  }

  /// A clip of plain pictures at 10 fps; large enough that one frame kept each time would show.
  private static func writeClip(_ path: String, frames: Int) throws {
    let output = try OutputContainer(path: path, formatName: "matroska")
    let shape = Encoder.Video(
      width: 160, height: 120, format: .yuv420p, timeBase: .milliseconds)
    let encoder = try Encoder("mpeg4", video: shape, for: output)
    try output.addStream(for: encoder)
    try output.start()
    let packet = try Packet()
    func move() throws {
      while case .packet = try encoder.receive(into: packet) { try output.write(packet, to: 0) }
    }
    for number in 0..<frames {
      let frame = try Frame.picture(
        width: 160, height: 120, format: .yuv420p, pts: Int64(number * 100),
        timeBase: .milliseconds
      ) { plane, bytes, _ in
        for index in bytes.indices { bytes[index] = plane == 0 ? UInt8(16 + number % 200) : 128 }
      }
      try encoder.send(frame)
      try move()
    }
    try encoder.sendEndOfStream()
    try move()
    try output.finish()
  }

  /// A WAV file of 16-bit mono noise at 8 kHz.
  private static func wave(seconds: Int) -> Data {
    let size = seconds * 16_000
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var data = Data("RIFF".utf8) + bytes(36 + size, 4) + Data("WAVEfmt ".utf8) + bytes(16, 4)
    data += bytes(1, 2) + bytes(1, 2) + bytes(8000, 4) + bytes(16_000, 4) + bytes(2, 2)
    data += bytes(16, 2) + Data("data".utf8) + bytes(size, 4)
    data.reserveCapacity(44 + size)
    var state: UInt32 = 1
    for _ in 0..<size {
      state = state &* 1_664_525 &+ 1_013_904_223
      data.append(UInt8(truncatingIfNeeded: state >> 28))
    }
    return data
  }
}
