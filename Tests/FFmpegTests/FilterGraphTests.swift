import FFmpeg
import TestSupport
import Testing

struct FilterGraphTests {
  private func filter(_ frames: [Frame], _ description: String) throws -> [Frame] {
    let graph = try FilterGraph(description, like: try #require(frames.first))
    var filtered: [Frame] = []
    let receive = {
      while case .frame(let frame) = try graph.receive() { filtered.append(frame) }
    }
    for frame in frames {
      try graph.send(frame)
      try receive()
    }
    try graph.sendEndOfStream()
    try receive()
    return filtered
  }

  private func grey(pts: Int64? = nil, timeBase: Rational = .microseconds) throws -> Frame {
    try Frame.picture(width: 8, height: 8, format: .gray8, pts: pts, timeBase: timeBase) {
      _, bytes, _ in
      for index in bytes.indices { bytes[index] = 100 }
    }
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `deinterlacing gives a progressive frame for each`() throws {
    let frames = try decode(SharedFiles.media("synthetic/syn-interlaced-tff-sar64-45.mp4")).frames
    let filtered = try filter(frames, "bwdif=mode=send_frame:deint=interlaced")
    #expect(filtered.count == frames.count)
    #expect(filtered.allSatisfy { !$0.isInterlaced && $0.width == 720 && $0.height == 576 })
    #expect(filtered.map(\.pts) == frames.map(\.pts))
    #expect(filtered.map(\.timeBase) == frames.map(\.timeBase))
    #expect(filtered.first?.sampleAspectRatio == Rational(64, 45))
    // Some pixels are made anew, and most stay near what they were.
    let difference = try frames[3].rgba().difference(to: filtered[3].rgba())
    #expect(difference > 0 && difference < 20)
  }

  @Test func `times of filters that count in other ticks come in those of the frames sent`() throws
  {
    let frames = try [7, 8, 20].map { try grey(pts: $0, timeBase: Rational(1, 25)) }
    let filtered = try filter(frames, "settb=1/90000")
    #expect(filtered.map(\.pts) == [7, 8, 20])
    #expect(filtered.map(\.timeBase) == frames.map(\.timeBase))
  }

  @Test func `a frame without a time stays without one`() throws {
    #expect(try filter([grey()], "null").map(\.pts) == [nil])
  }

  @Test func `a filter that does not exist is named`() throws {
    let frame = try grey()
    let error = #expect(throws: FFmpegError.self) { try FilterGraph("nosuch", like: frame) }
    #expect(error?.subject == "nosuch")
  }

  @Test func `a frame without a time base is refused`() throws {
    let frame = try grey(timeBase: Rational(0, 1))
    let error = #expect(throws: FFmpegError.self) { try FilterGraph("null", like: frame) }
    #expect(error?.code == .invalidArgument)
  }
}
