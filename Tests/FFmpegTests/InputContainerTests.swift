import FFmpeg
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct InputContainerTests {
  private func code(opening path: String) -> FFmpegError.Code? {
    do throws(FFmpegError) {
      _ = try InputContainer(path: path)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `what is no file of media is told apart`() throws {
    let text = path("text.mp4")
    let empty = path("empty.mp4")
    try Data("hello, this is no video".utf8).write(to: URL(filePath: text))
    try Data().write(to: URL(filePath: empty))
    #expect(code(opening: path("missing.mp4")) == .fileNotFound)
    #expect(code(opening: directory) == .isDirectory)
    #expect(code(opening: empty) == .emptyFile)
    #expect(code(opening: text) == .invalidData)
    #expect(code(opening: "/dev/zero") == .notRegularFile)
  }

  @Test func `an error names the file, the reason and the call`() {
    let path = path("missing.mp4")
    let error = #expect(throws: FFmpegError.self) { try InputContainer(path: path) }
    #expect(error?.description == "\(path): No such file or directory (stat)")
  }

  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    arguments: [
      "a:b.mp4", "--vf=null %03d [x].mp4", "http:x.mp4", "shot %03d *.mp4", "-.mp4", "grün 视频.mp4",
      "concat:a|b.mp4", "no extension",
    ])
  func `any file name is just a name`(name: String) throws {
    let path = path(name)
    try FileManager.default.copyItem(atPath: SharedFiles.media("video/minimal.mp4"), toPath: path)
    #expect(try decode(path).frames.count == 1)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a picture named like a pattern is one picture`() throws {
    let path = path("shot %03d *.png")
    let source = SharedFiles.media("colour/wpt-four-colors.png")
    try FileManager.default.copyItem(atPath: source, toPath: path)
    let container = try InputContainer(path: path)
    #expect(container.isSinglePicture)
    #expect(container.formatName == "png_pipe")
    #expect(try decode(path).frames.count == 1)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a relative name with a colon is no protocol`() throws {
    // Relative to the directory that the tests run in, which stays as it is.
    let name = "keymill-\(UUID().uuidString):x.mp4"
    try FileManager.default.copyItem(atPath: SharedFiles.media("video/minimal.mp4"), toPath: name)
    defer { try? FileManager.default.removeItem(atPath: name) }
    #expect(try InputContainer(path: name).streams.count == 2)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a playlist does not open the files it names`() throws {
    let video = SharedFiles.media("video/minimal.mp4")
    for (name, text) in [
      ("list.ffconcat", "ffconcat version 1.0\nfile '\(video)'\n"),
      ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n\(video)\n#EXT-X-ENDLIST\n"),
    ] {
      let path = path(name)
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(throws: FFmpegError.self) { try decode(path).frames.count }
    }
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `the facts of a video are those of ffprobe`() throws {
    let container = try InputContainer(path: SharedFiles.media("greenscreen/arkit-effect003.mov"))
    #expect(container.formatName == "mov,mp4,m4a,3gp,3g2,mj2")
    #expect(container.isSinglePicture == false)
    #expect(container.streams.map(\.kind) == [.audio, .video])
    #expect(container.streams.map(\.codecName) == ["aac", "h264"])
    let audio = try #require(container.streams[0].audio)
    #expect(audio.sampleRate == 44100)
    #expect(audio.channelLayout == "stereo")
    #expect(audio.channels == 2)
    let video = try #require(container.streams[1].video)
    #expect((video.width, video.height) == (1280, 720))
    #expect(video.pixelFormat == "yuv420p")
    #expect(video.colour.matrix == .bt709)
    #expect(container.streams[1].frameCount == 337)
    #expect(container.bestStream(.video)?.index == 1)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a cover is an attached picture and not the video`() throws {
    let container = try InputContainer(path: SharedFiles.media("audio/with-attached-pic.mp3"))
    #expect(container.streams.map(\.isAttachedPicture) == [false, true])
    #expect(container.bestStream(.video) == nil)
    #expect(container.bestStream(.audio)?.index == 0)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `streams that are not kept give no packets`() throws {
    let container = try InputContainer(path: SharedFiles.media("video/sample.mp4"))
    container.discardStreams(except: [1])
    let packet = try Packet()
    var indices: Set<Int> = []
    while try container.readPacket(into: packet) { indices.insert(packet.streamIndex) }
    #expect(indices == [1])
  }

  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    arguments: [
      ("photo/cat.jpg", true), ("colour/wpt-four-colors.png", true),
      ("photo/lossy_alpha.webp", true), ("photo/abc_color_irot_alpha_irot.avif", true),
      ("photo/colors-animated-8bpc.avif", false), ("photo/ball.png", false),
      ("photo/mixed-disposal.gif", false), ("video/minimal.mp4", false),
    ])
  func `single pictures are told from animations`(file: String, isPicture: Bool) throws {
    #expect(try InputContainer(path: SharedFiles.media(file)).isSinglePicture == isPicture)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `the size of a picture is known before it is decoded`() throws {
    for (file, size) in [
      ("photo/cat.jpg", [320, 240]), ("colour/wpt-four-colors.png", [320, 240]),
      ("photo/lossy_alpha.webp", [100, 100]), ("photo/panic.webp", [100, 30]),
      ("photo/pal8nonsquare.bmp", [127, 32]), ("photo/tiff_strip_cmyk_16l_jpeg.tif", [100, 100]),
      ("photo/hopper_orientation_5.webp", [128, 128]),
    ] {
      let video = try InputContainer(path: SharedFiles.media(file)).streams[0].video
      #expect(video.map { [$0.width, $0.height] } == size, "\(file)")
    }
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `seeking goes to a key frame at or before the time`() throws {
    let container = try InputContainer(path: SharedFiles.media("greenscreen/mdn-chroma-keying.mp4"))
    let stream = try #require(container.bestStream(.video))
    let target = stream.timeBase.ticks(of: 30)
    try container.seek(to: target, in: stream)
    container.discardStreams(except: [stream.index])
    let packet = try Packet()
    #expect(try container.readPacket(into: packet))
    #expect(packet.isKeyFrame)
    #expect(try #require(packet.pts) <= target)
    #expect(try #require(packet.pts) > 0)
  }
}
