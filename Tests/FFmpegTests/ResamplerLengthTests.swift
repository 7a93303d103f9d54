import FFmpeg
import Testing

/// However short sound is, another rate keeps its length.
@Suite struct ResamplerLengthTests {
  private func resampled(_ count: Int, from: Int, to: Int, format name: String) throws -> Int {
    let source = AudioFormat(
      sampleRate: from, channelLayout: "mono", sampleFormat: try #require(SampleFormat(named: name))
    )
    var target = source
    target.sampleRate = to
    let resampler = try Resampler(to: target)
    var made = 0
    for start in stride(from: 0, to: count, by: 1000) {
      let frame = try Frame.samples(count: min(1000, count - start), format: source) { bytes in
        for index in bytes.indices { bytes[index] = 0 }
      }
      try resampler.send(frame)
      while let frame = try resampler.receive() { made += frame.sampleCount }
    }
    try resampler.sendEndOfStream()
    while let frame = try resampler.receive() { made += frame.sampleCount }
    return made
  }

  @Test(
    arguments: [1, 2, 10, 13, 20, 24, 32, 33, 100, 255, 256, 257, 1000, 4097, 44_100],
    [(44_100, 48_000), (48_000, 44_100), (8_000, 192_000), (192_000, 8_000), (44_100, 44_100)])
  func `as many samples come out as the length has at the new rate`(
    count: Int, rates: (from: Int, to: Int)
  ) throws {
    let whole = (Double(count) * Double(rates.to) / Double(rates.from)).rounded()
    for format in ["s16", "u8", "flt"] {
      let made = try resampled(count, from: rates.from, to: rates.to, format: format)
      #expect(made == Int(whole), "\(format)")
    }
  }
}
