import FFmpeg
import Platform
import TestSupport
import Testing

/// The `audio` section.
@Suite(.temporaryDirectory) struct TrackTests {
  private let track = Checkout.sample("track.mp3")

  @Test
  func `a file that is nothing but the track is copied byte for byte, tags and cover with it`()
    async throws
  {
    let output = try await make(#"{"audio": {}}"#, of: track)
    #expect(output.manifest.files.map(\.path) == ["audio/clip.mp3"])
    #expect(try Files.read(output.path("audio/clip.mp3")) == Files.read(track))
  }

  @Test func `the copy is a file of its own`() async throws {
    let output = try await make(#"{"audio": {}}"#, of: track)
    let copy = try FileStatus(output.path("audio/clip.mp3"))
    #expect(copy.linkCount == 1)
    #expect(copy.inode != (try FileStatus(track).inode))
  }

  @Test func `a decoded track has every sample of the source`() async throws {
    let output = try await make(#"{"audio": {"formats": ["wav"]}}"#, of: track)
    let count = try Sound.sampleCount(of: track)
    #expect(output.manifest.audio?.first?.samples == count)
    let bytes = try FileStatus(output.path("audio/clip.wav")).size
    // Beside the samples there are a header and the tags.
    #expect(bytes >= Int64(count * 4) && bytes < Int64(count * 4 + 1000))
  }

  @Test func `a WAV file can be copied and decoded, side by side`() async throws {
    let wave = try await make(#"{"audio": {"formats": ["wav"]}}"#, of: track, as: "first")
    let output = try await make(
      #"{"audio": {"formats": ["copy", "wav"]}}"#, of: wave.path("audio/clip.wav"))
    #expect(
      output.manifest.files.map(\.path) == ["audio/clip.wav", "audio/clip-decoded.wav"])
    #expect(
      try Sound.packets(of: output.path("audio/clip-decoded.wav"))
        == Sound.packets(of: output.path("audio/clip.wav")))
  }

  @Test func `a copy out of a clip keeps the sound's time`() async throws {
    let clip = Checkout.sample("sprite-magenta.mp4")
    let output = try await make(#"{"audio": {}}"#, of: clip)
    let copy = try InputContainer(path: output.path("audio/clip.m4a"))
    let source = try InputContainer(path: clip)
    let (made, original) = (copy.bestStream(.audio), source.bestStream(.audio))
    #expect(made?.codecName == "aac")
    let difference = abs((made?.duration ?? 0) - (original?.duration ?? 9))
    #expect(difference < 0.03)
    #expect(try Sound.sampleCount(of: copy.path) == Sound.sampleCount(of: clip))
  }
}
