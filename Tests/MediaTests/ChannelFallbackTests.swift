import FFmpeg
import TestSupport
import Testing

@testable import Media

/// Channels that an encoder does not take.
@Suite(.temporaryDirectory) struct ChannelFallbackTests {
  private func made(_ fields: String, layout: String) async throws -> MadeOutput {
    try MadeSound.write(
      path("in.wav"), count: 9_600, layout: layout, MadeSound.sine(440, level: -12))
    return try await make("{\"audio\": {\(fields)}}", of: path("in.wav"))
  }

  private func layout(_ output: MadeOutput, _ name: String) throws -> String? {
    try InputContainer(path: output.path("audio/\(name)")).bestStream(.audio)?.audio?.channelLayout
  }

  @Test(arguments: [
    ("2.1", "3.0"), ("4.0", "quad"), ("4.1", "5.0"), ("16 channels", "stereo"),
  ])
  func `Opus gets the nearest channels that it takes, and a note tells`(
    from: String, to: String
  ) async throws {
    let output = try await made(#""formats": ["opus"]"#, layout: from)
    #expect(try layout(output, "clip.opus") == to)
    #expect(
      output.manifest.warnings == [
        "audio/clip.opus: \(from) is made \(to), since opus takes no other channels"
      ])
    #expect(!output.manifest.partial)
  }

  @Test(arguments: ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "5.1(side)", "6.1", "7.1"])
  func `channels that Opus takes are kept without a word`(from: String) async throws {
    let output = try await made(#""formats": ["opus"]"#, layout: from)
    #expect(try layout(output, "clip.opus") == String(from.prefix { $0 != "(" }))
    #expect(output.manifest.warnings == [])
  }

  @Test(arguments: 1...8) func `every number of channels can be asked for`(count: Int) async throws
  {
    let output = try await made(
      "\"formats\": [\"opus\", \"flac\", \"m4a\"], \"channels\": \(count)", layout: "stereo")
    for name in ["clip.opus", "clip.flac", "clip.m4a"] {
      let container = try InputContainer(path: output.path("audio/\(name)"))
      #expect(container.bestStream(.audio)?.audio?.channels == count, "\(name)")
    }
  }

  @Test func `channels without a place are mixed into the two of every player`() async throws {
    let output = try await made(
      #""formats": ["flac", "mp3", "m4a", "opus", "wav"]"#, layout: "64 channels")
    for name in ["clip.flac", "clip.mp3", "clip.m4a", "clip.opus"] {
      #expect(try layout(output, name) == "stereo", "\(name)")
    }
    let samples = try MadeSound.samples(of: output.path("audio/clip.flac"))
    #expect(samples.count == 9_600)
    #expect(abs(Double(samples.max() ?? 0) - 0.251) < 0.01)
  }
}
