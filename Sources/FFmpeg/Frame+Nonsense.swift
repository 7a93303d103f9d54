internal import CFFmpeg

extension Frame {
  /// The largest amplitude that a sample can be meant to have, 1 being full scale: whole numbers of 32
  /// bits that somebody has stored as floats are below it.
  static let mostAmplitude = 4_294_967_296.0

  /// This sound with silence in place of samples that are none: not a number, infinite, or beyond 2³²
  /// times full scale, which no filter or encoder can work on.
  ///
  /// - Returns: The sound, the places of those samples (one for all channels) and how many they are; nil
  ///   where there are none, as in all sound that is not of floats.
  public func withoutNonsense() throws(FFmpegError) -> (frame: Frame, first: Int, count: Int)? {
    guard isNonsensical else { return nil }
    guard let format = audioFormat else { return nil }
    let copy = try Frame.emptySamples(count: sampleCount, format: format)
    let (from, to) = unsafe (pointer, copy.pointer)
    let result = unsafe av_samples_copy(
      to.pointee.extended_data, from.pointee.extended_data, 0, 0, Int32(sampleCount),
      Int32(channels), format.sampleFormat.code)
    try check(result, "av_samples_copy", "samples")
    copy.setTime(pts.map { timeBase.rescale($0, to: copy.timeBase) })
    var places: Set<Int> = []
    if format.sampleFormat.bytesPerSample == 4 {
      copy.silence(UInt32.self, over: Self.most32, into: &places)
    } else {
      copy.silence(UInt64.self, over: Self.most64, into: &places)
    }
    return (copy, places.min() ?? 0, places.count)
  }

  // Without its sign a float's bits, as a whole number, grow with its value; infinity and what is not
  // a number are above all others.
  private static let most32 = Float(mostAmplitude).bitPattern
  private static let most64 = mostAmplitude.bitPattern

  private var isNonsensical: Bool {
    switch sampleFormat?.code {
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP: has(UInt32.self, over: Self.most32)
    case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP: has(UInt64.self, over: Self.most64)
    default: false
    }
  }

  /// The largest of all bits is compared once, so that the loop is one of vectors.
  private func has<Bits: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _: Bits.Type, over most: Bits
  ) -> Bool {
    (0..<planeCount).contains { index in
      var largest: Bits = 0
      let samples = unsafe plane(index, of: Bits.self).span
      for place in samples.indices { largest = max(largest, samples[place] & (Bits.max >> 1)) }
      return largest > most
    }
  }

  /// Only for a frame that nobody else has seen.
  private func silence<Bits: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _: Bits.Type, over most: Bits, into places: inout Set<Int>
  ) {
    for index in 0..<planeCount {
      var samples = unsafe plane(index, of: Bits.self).mutableSpan
      let step = samples.count / max(sampleCount, 1)
      for place in samples.indices where samples[place] & (Bits.max >> 1) > most {
        samples[place] = 0
        places.insert(place / step)
      }
    }
  }

  /// The plane holds `sampleCount` samples, of all channels where there is one plane, for as long as the
  /// frame lives.
  private func plane<Bits>(_ index: Int, of: Bits.Type) -> UnsafeMutableBufferPointer<Bits> {
    let start = unsafe UnsafeMutableRawPointer(pointer.pointee.extended_data[index])?
      .assumingMemoryBound(to: Bits.self)
    let count = planeCount == 1 ? sampleCount * channels : sampleCount
    return unsafe UnsafeMutableBufferPointer(start: start, count: count)
  }
}
