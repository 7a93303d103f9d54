import BenchCommands

/// The comparisons that the README's figures come from.
struct Bench {
  /// A mode of keymill as it is measured.
  enum Mode: CaseIterable {
    case gpuimage
    case clean

    /// The most that clip → PNG may take of decoding's CPU time, and of ffmpeg's with `chromakey`.
    var bars: (decoding: Double, ffmpeg: Double) {
      switch self {
      case .gpuimage: (2.5, 1.0 / 10)
      case .clean: (3.5, 1.0 / 6)
      }
    }
  }

  let workshop: Workshop
  let machine: Machine
  /// How often each command runs; the two sides of a comparison take turns.
  let runs: Int

  /// Clip to transparent PNG frames, against ffmpeg with the same settings and against decoding alone.
  ///
  /// The clip is of the size that what keymill replaced took 700 MB for.
  func keying() throws -> [Row] {
    let clip = try workshop.clip(width: 1400, height: 1100, frames: 70)
    var (memory, time, decoding): ([Row], [Row], [Row]) = ([], [], [])
    for mode in Mode.allCases {
      let turns = try (0..<runs).map { _ in
        (
          ffmpeg: try ffmpegKeying(clip), ours: try keymillKeying(clip, mode),
          decode: try ffmpegDecoding(clip)
        )
      }
      let pairs = turns.map { Pair(base: $0.ffmpeg, ours: $0.ours) }
      let what = "70 sprites of 1400x1100 → PNG, \(mode)"
      memory.append(
        Row("\(what): peak memory", pairs, of: \.peakMemory, in: .megabytes, limit: 80e6))
      time += [
        Row("\(what): CPU", pairs, of: \.cpu, in: .seconds, bar: mode.bars.ffmpeg),
        Row("\(what): wall", pairs, of: \.wall, in: .seconds),
      ]
      decoding.append(
        Row(
          "decoding alone by ffmpeg, keymill → PNG, \(mode): CPU",
          turns.map { Pair(base: $0.decode, ours: $0.ours) }, of: \.cpu, in: .seconds,
          bar: mode.bars.decoding))
    }
    return memory + time + decoding
  }

  /// The same on one core and on two; no row where there is one core only.
  func cores() throws -> [Row] {
    guard machine.cores.count > 1 else { return [] }
    let clip = try workshop.clip(width: 1400, height: 1100, frames: 70)
    return try Mode.allCases.map { mode in
      let pairs = try (0..<runs).map { _ in
        Pair(
          base: try keymillKeying(clip, mode, cores: 1),
          ours: try keymillKeying(clip, mode, cores: 2))
      }
      return Row(
        "keymill on 1 core, on 2 cores, \(mode): wall", pairs, of: \.wall, in: .seconds, bar: 0.6)
    }
  }

  /// A clip of ten seconds and one of ten minutes: memory is bounded by the frame.
  func length() throws -> [Row] {
    let short = try workshop.clip(width: 320, height: 240, frames: 240)
    let long = try workshop.repeated(short, times: 60)
    let pair = Pair(
      base: try keymillKeying(short, .clean), ours: try keymillKeying(long, .clean))
    return [
      Row(
        "keymill on 10 s, on 10 min of 320x240, clean: peak memory", [pair], of: \.peakMemory,
        in: .megabytes, bar: 1.10)
    ]
  }

  /// Four times the pixels take four times as long.
  func size() throws -> [Row] {
    let small = try workshop.clip(width: 1920, height: 1080, frames: 24)
    let large = try workshop.clip(width: 3840, height: 2160, frames: 24)
    return try Mode.allCases.map { mode in
      let pairs = try (0..<runs).map { _ in
        Pair(base: try keymillKeying(small, mode), ours: try keymillKeying(large, mode))
      }
      return Row(
        "keymill on 1920x1080, on 3840x2160, \(mode): CPU", pairs, of: \.cpu, in: .seconds,
        bar: 4.2)
    }
  }

  /// The stages by themselves, a pixel on a core: keying beside what ffmpeg's filter adds to a run
  /// without it, and making PNG files of the result.
  ///
  /// Last of all, because it works in this process, which must be small while it measures others.
  func stages() throws -> [Row] {
    let (width, height, frames) = (1400, 1100, 70)
    let clip = try workshop.clip(width: width, height: height, frames: frames)
    let pixels = Double(width * height * frames)
    let filters = try (0..<runs).map { _ in
      let without = try ffmpegFiltering(clip, by: "format=yuva420p")
      let with = try ffmpegFiltering(clip, by: "format=yuva420p,chromakey=magenta:0.15:0.3")
      return (with.cpu - without.cpu) / pixels * 1e9
    }
    let film = try RawFilm(
      path: try workshop.raw(clip, frames: 8), width: width, height: height)
    var rows: [Row] = []
    for mode in Mode.allCases {
      let stages = try KeyStages(mode, film)
      let ours = try (0..<runs).map { _ in try stages.run() }
      rows += [
        Row(
          "keying alone, \(mode): a pixel", base: filters, ours: ours.map(\.keying),
          in: .nanoseconds, limit: mode == .gpuimage ? 1 : 4),
        Row("PNG alone, \(mode): a pixel", base: [], ours: ours.map(\.png), in: .nanoseconds),
      ]
    }
    return rows
  }

  private func ffmpegDecoding(_ clip: String) throws -> BenchRun {
    try workshop.measure([
      "ffmpeg", "-v", "error", "-threads", "1", "-i", clip, "-f", "null", "-",
    ])
  }

  private func ffmpegFiltering(_ clip: String, by filter: String) throws -> BenchRun {
    try workshop.measure([
      "ffmpeg", "-v", "error", "-threads", "1", "-filter_threads", "1", "-i", clip, "-vf", filter,
      "-f", "null", "-",
    ])
  }

  private func ffmpegKeying(_ clip: String) throws -> BenchRun {
    let output = try workshop.emptyOutput()
    return try workshop.measure([
      "ffmpeg", "-v", "error", "-i", clip, "-vf", "chromakey=magenta:0.15:0.3",
      "-pix_fmt", "rgba", "\(output)/%06d.png",
    ])
  }

  /// keymill on that clip, on so many cores or on all.
  private func keymillKeying(_ clip: String, _ mode: Mode, cores: Int? = nil) throws -> BenchRun {
    let recipe =
      switch mode {
      case .gpuimage: "jobs/sprite.json"
      case .clean: try workshop.recipe("clean", #"{"key": {"color": "magenta"}}"#)
      }
    let output = try workshop.freshOutput()
    let command = [workshop.keymill, "run", recipe, clip, "-o", output]
    guard let cores else { return try workshop.measure(command) }
    let list = machine.cores.prefix(cores).map(String.init).joined(separator: ",")
    return try workshop.measure(["taskset", "-c", list] + command)
  }
}

/// One run of each side, taken one after the other.
struct Pair {
  var base: BenchRun
  var ours: BenchRun
}
