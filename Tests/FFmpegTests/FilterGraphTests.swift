import FFmpeg
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

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.absent)"))
  func `deinterlacing gives a progressive frame for each`() throws {
    let frames = try decode(Corpus.path("synthetic/syn-interlaced-tff-sar64-45.mp4")).frames
    let filtered = try filter(frames, "bwdif=mode=send_frame:deint=interlaced")
    #expect(filtered.count == frames.count)
    #expect(filtered.allSatisfy { !$0.isInterlaced && $0.width == 720 && $0.height == 576 })
    #expect(filtered.map(\.seconds) == frames.map(\.seconds))
    #expect(filtered.first?.sampleAspectRatio == Rational(64, 45))
    // Some pixels are made anew, and most stay near what they were.
    let difference = try frames[3].rgba().difference(to: filtered[3].rgba())
    #expect(difference > 0 && difference < 20)
  }

  @Test func `a filter that does not exist is named`() throws {
    let frame = try Frame.picture(width: 8, height: 8, format: .yuv420p) { _, _, _ in }
    let error = #expect(throws: FFmpegError.self) { try FilterGraph("nosuch", like: frame) }
    #expect(error?.subject == "nosuch")
  }
}
