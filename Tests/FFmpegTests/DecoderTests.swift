import FFmpeg
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct DecoderTests {
  /// Files of each kind: edit lists, B-frames, variable rate, odd sizes, damage, many codecs.
  static let files = [
    "greenscreen/arkit-effect003.mov", "greenscreen/arkit-effect007.mov", "synthetic/syn-vfr.mp4",
    "video/iibbibb_editlist_videoonly.mp4", "video/sample_edit_list_only_preroll_sync_sample.mp4",
    "video/bear-vp9-odd-dimensions.webm", "video/nasa_13013.mp4", "video/no_timescale.mp4",
    "video/sample_with_invalid_nalu.mp4", "video/hlg10-color-test.mp4", "photo/ball.png",
    "photo/mixed-disposal.gif", "photo/colors-animated-8bpc.avif", "photo/truncated.jpg",
    "synthetic/syn-multi-audio-5.1.mp4", "synthetic/syn-prores4444-alpha.mov",
    "audio/bbb_6ch_8kHz_opus.ogg", "audio/bear-vbr-xing-header.mp3", "audio/testcase.mp3",
    "audio/sample_cbs_truncated.adts", "audio/APEv2+Lyrics3v2.mp3", "audio/wrong_extension.aac",
  ]

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence), arguments: files)
  func `as many frames and samples come out as from ffmpeg`(file: String) throws {
    let streams = try #require(Corpus.entry(file)?.facts?.streams)
    for stream in streams where stream.type == "video" || stream.type == "audio" {
      let decoded = try decode(SharedFiles.media(file), stream: stream.index)
      if stream.type == "video" {
        #expect(decoded.frames.count == stream.frames_decoded)
      } else {
        #expect(decoded.samples == stream.samples_decoded)
      }
    }
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `frames come in the order of their times, also with threads`() throws {
    for threads in [1, 2] {
      let frames = try decode(SharedFiles.media("synthetic/syn-vfr.mp4"), threads: threads).frames
      let times = frames.compactMap(\.pts)
      #expect(times.count == 54)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `WebM with alpha keeps it`() throws {
    let path = SharedFiles.media("greenscreen/moviepy-transparent.webm")
    let stream = try #require(InputContainer(path: path).bestStream(.video))
    #expect(stream.video?.hasAlphaSideChannel == true)
    let frame = try firstFrame(path)
    #expect(frame.hasAlpha)
    #expect(frame.pixelFormat.name == "yuva420p")
    let alpha = frame.withPlane(3) { bytes, _ in
      (
        lowest: bytes.indices.map { bytes[$0] }.min(),
        highest: bytes.indices.map { bytes[$0] }.max()
      )
    }
    #expect(alpha.lowest == 0)
    #expect(alpha.highest == 255)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a CMYK JPEG is opaque`() throws {
    let frame = try firstFrame(SharedFiles.media("photo/ff-perf_cmyk.jpg"))
    #expect(frame.pixelFormat.hasAlpha)
    #expect(frame.hasAlpha == false)
    // Pure green in every reader; FFmpeg's way from CMYK costs a level.
    #expect(
      zip(try frame.rgba()[500, 500], [0, 255, 0, 255]).allSatisfy { abs(Int($0) - $1) <= 1 })
  }

  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    arguments: [
      ("synthetic/syn-png-bomb-header-30000x30000.png", "30000x30000"),
      ("photo/17000x17000.avif", "17000x17000"), ("photo/Bad_reallybig.bmp", "3000000x2000000"),
    ])
  func `a picture of a huge declared size is refused before it is decoded`(
    file: String, size: String
  ) throws {
    let container = try InputContainer(path: SharedFiles.media(file))
    let error = #expect(throws: FFmpegError.self) {
      try Decoder(for: container.streams[0], of: container)
    }
    #expect(error?.code == .overLimit)
    #expect(error?.reason == "Declared size \(size) is over the limit")
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a frame over the limit of bytes is refused by its size`() throws {
    let limits = DecodeLimits(maxPixels: 1_000_000, maxFrameBytes: 100_000)
    let decoded = try decode(SharedFiles.media("photo/cat.jpg"), limits: limits)
    #expect(decoded.frames.isEmpty)
    #expect(decoded.errors.first?.code == .overLimit)
    #expect(decoded.errors.first?.reason == "Declared size 320x240 is over the limit")
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a video over the limit of pixels is refused when it is opened`() throws {
    let limits = DecodeLimits(maxPixels: 1000, maxFrameBytes: 1 << 20)
    let container = try InputContainer(path: SharedFiles.media("video/minimal.mp4"), limits: limits)
    let stream = try #require(container.bestStream(.video))
    let error = #expect(throws: FFmpegError.self) { try Decoder(for: stream, of: container) }
    #expect(error?.code == .overLimit)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a codec without a decoder is named`() throws {
    let container = try InputContainer(path: SharedFiles.media("video/sample_vvc.mp4"))
    #expect(container.streams[0].hasDecoder == false)
    let error = #expect(throws: FFmpegError.self) {
      try Decoder(for: container.streams[0], of: container)
    }
    #expect(error?.code == .decoderNotFound)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `the shape of pixels and fields comes with the frame`() throws {
    let frame = try firstFrame(SharedFiles.media("synthetic/syn-interlaced-tff-sar64-45.mp4"))
    #expect(frame.sampleAspectRatio == Rational(64, 45))
    #expect(frame.isInterlaced)
    #expect(frame.isTopFieldFirst)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a reference outlives the frame it was made from`() throws {
    var frame: Frame? = try firstFrame(SharedFiles.media("colour/wpt-four-colors.png"))
    let expected = try frame?.rgba()
    let reference = try #require(frame).makeReference()
    frame = nil
    #expect(try reference.rgba() == expected)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a decoder that is reset decodes again`() throws {
    let container = try InputContainer(path: SharedFiles.media("video/sample.mp4"))
    let stream = try #require(container.bestStream(.video))
    let decoder = try Decoder(for: stream, of: container)
    let packet = try Packet()
    for _ in 0..<2 {
      try container.seek(to: 0, in: stream)
      decoder.reset()
      var first: Frame?
      while first == nil, try container.readPacket(into: packet) {
        guard packet.streamIndex == stream.index else { continue }
        try decoder.send(packet)
        if case .frame(let frame) = try decoder.receive() { first = frame }
      }
      #expect(first?.pts == stream.startPTS)
    }
  }
}
