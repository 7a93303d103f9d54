import Testing

@testable import Media

@Suite struct AudioContainerTests {
  @Test(arguments: [
    ("mp3", "mp3"), ("aac", "m4a"), ("alac", "m4a"), ("opus", "opus"), ("vorbis", "ogg"),
    ("flac", "flac"), ("ac3", "ac3"), ("amr_nb", "amr"), ("pcm_s16le", "wav"),
    ("pcm_f32le", "wav"), ("mp2", "mp2"), ("pcm_s16be", "aiff"),
  ])
  func `a codec goes into the file that players know it by`(codec: String, name: String) {
    #expect(AudioContainer(codec: codec).fileExtension == name)
  }

  @Test(arguments: ["adpcm_ms", "cook", "wmav2", "truehd", "none"])
  func `a codec without a file of its own goes into Matroska`(codec: String) {
    let container = AudioContainer(codec: codec)
    #expect(container.muxer == "matroska")
    #expect(!container.isNative(formatName: "matroska,webm"))
  }

  @Test func `a file of that format is taken as it is, one of another is not`() {
    #expect(AudioContainer(codec: "mp3").isNative(formatName: "mp3"))
    #expect(AudioContainer(codec: "aac").isNative(formatName: "mov,mp4,m4a,3gp,3g2,mj2"))
    #expect(!AudioContainer(codec: "mp3").isNative(formatName: "mov,mp4,m4a,3gp,3g2,mj2"))
    #expect(!AudioContainer(codec: "aac").isNative(formatName: "aac"))
  }
}
