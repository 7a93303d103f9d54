/// The comparisons that the README's figures come from.
struct Bench {
  let workshop: Workshop
  let machine: Machine
  /// How often each command runs; the two sides of a comparison take turns.
  let runs: Int

  /// Clip to transparent PNG frames, against ffmpeg's `chromakey` with the same settings.
  func keying() throws -> [Row] {
    let clip = try workshop.clip(width: 1400, height: 1100, frames: 70)
    let decode = try (0..<runs).map { _ in
      try workshop.measure(["ffmpeg", "-v", "error", "-i", clip, "-f", "null", "-"])
    }
    let pairs = try (0..<runs).map { _ in
      Pair(base: try ffmpegKeying(clip), ours: try keymillKeying(clip))
    }
    let what = "1400x1100, 70 frames, magenta → PNG"
    return [
      Row("\(what): CPU", pairs, of: \.cpu, in: .seconds, bar: 1.0 / 8),
      Row("\(what): wall", pairs, of: \.wall, in: .seconds),
      Row("\(what): peak memory", pairs, of: \.peakMemory, in: .megabytes, limit: 100e6),
      Row("decoding alone, by ffmpeg: CPU", base: decode, of: \.cpu, in: .seconds),
    ]
  }

  /// The same on one core and on two; no row where there is one core only.
  func cores() throws -> [Row] {
    guard machine.cores.count > 1 else { return [] }
    let clip = try workshop.clip(width: 1400, height: 1100, frames: 70)
    let pairs = try (0..<runs).map { _ in
      Pair(base: try keymillKeying(clip, cores: 1), ours: try keymillKeying(clip, cores: 2))
    }
    return [Row("keymill on 1 core, on 2 cores: wall", pairs, of: \.wall, in: .seconds, bar: 0.65)]
  }

  /// A clip of ten seconds and one of ten minutes: memory is bounded by the frame.
  func length() throws -> [Row] {
    let short = try workshop.clip(width: 320, height: 240, frames: 240)
    let long = try workshop.repeated(short, times: 60)
    let pair = Pair(base: try keymillKeying(short), ours: try keymillKeying(long))
    return [
      Row(
        "keymill on 10 s, on 10 min of 320x240: peak memory", [pair], of: \.peakMemory,
        in: .megabytes, bar: 1.10)
    ]
  }

  private func ffmpegKeying(_ clip: String) throws -> Usage {
    let output = try workshop.emptyOutput()
    return try workshop.measure([
      "ffmpeg", "-v", "error", "-i", clip, "-vf", "chromakey=magenta:0.15:0.3",
      "-pix_fmt", "rgba", "\(output)/%06d.png",
    ])
  }

  /// keymill on that clip, on so many cores or on all.
  private func keymillKeying(_ clip: String, cores: Int? = nil) throws -> Usage {
    let output = try workshop.freshOutput()
    let command = [workshop.keymill, "run", "jobs/sprite.json", clip, "-o", output]
    guard let cores else { return try workshop.measure(command) }
    let list = machine.cores.prefix(cores).map(String.init).joined(separator: ",")
    return try workshop.measure(["taskset", "-c", list] + command)
  }
}

/// One run of each side, taken one after the other.
struct Pair {
  var base: Usage
  var ours: Usage
}
