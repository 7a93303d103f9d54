import FFmpeg
import Imaging
import Recipes

/// The one pass over an input: the demuxer runs once, each stream that is needed is decoded once, and
/// its frames go to everything that is made of them.
struct Pipeline {
  /// What a pass has made.
  struct Made {
    /// The keyed frames, if any.
    var key: (report: KeyReport, frames: Int)?
    /// The stills.
    var stills: [StillReport] = []
    /// The audio tracks and their files.
    var tracks: [TrackReport] = []
  }

  private let container: InputContainer
  private let pool: WorkPool
  private let warnings: Warnings
  private var plan: MediaPlan
  private var meter: ProgressMeter
  private var video: VideoTrack?
  private var key: KeyOutput?
  private var stills: StillOutput?
  private var audio: [AudioTrack] = []

  /// Opens the decoders and outputs that a plan needs.
  init(
    _ plan: MediaPlan, container: InputContainer, staging: StagingDirectory, stem: String,
    threads: Int, warnings: Warnings, report: @escaping (Progress) -> Bool
  ) throws {
    self.plan = plan
    self.container = container
    self.warnings = warnings
    pool = WorkPool(width: threads)
    let duration = try plan.duration(of: container)
    let needsSurvey = plan.audioSection?.needsSurvey ?? false
    meter = ProgressMeter(
      duration: duration, passes: 1 + (needsSurvey ? plan.audio.count : 0), report: report)
    if let stream = plan.video {
      do throws(FFmpegError) {
        // Beyond two threads the decoder would become the bottleneck of the pool.
        video = try VideoTrack(
          stream, of: container, threads: max(1, threads / 3), warnings: warnings)
      } catch {
        // That says nothing about the input.
        if error.code == .outOfMemory || error.code == .tryAgain {
          throw MediaError(.noMemory, container.path, "there is not enough memory to decode it")
        }
        try self.plan.drop(
          .video, because: "the video cannot be decoded: \(error.reason)", input: container.path,
          warnings: warnings)
      }
    }
    if let section = self.plan.key {
      key = KeyOutput(section, into: staging, on: pool, warnings: warnings)
    }
    if let section = self.plan.stills {
      let schedule =
        container.isSinglePicture
        ? StillSchedule(seconds: [0]) : StillSchedule(section.at, duration: duration ?? 0)
      stills = try StillOutput(
        section, at: schedule, into: staging, on: pool, warnings: warnings)
    }
    if let section = plan.audioSection {
      for track in plan.audio {
        let survey = needsSurvey ? try self.survey(track, for: section) : nil
        audio.append(
          try AudioTrack(
            track, of: container, section: section, survey: survey, stem: track.stem(of: stem),
            into: staging, warnings: warnings))
      }
    }
  }

  private mutating func survey(
    _ track: AudioChoice.Track, for section: AudioSection
  ) throws -> SoundSurvey {
    let survey = try SoundSurvey(of: track.stream, in: container, section: section) { seconds in
      meter.reached(seconds, stage: "measuring")
      return !meter.isCancelled
    }
    if meter.isCancelled { throw MediaError.interrupted(container.path) }
    meter.beginPass()
    return survey
  }

  /// Reads the input to its end, or until nothing more is wanted of it.
  mutating func run() throws -> Made {
    do {
      return try pass()
    } catch {
      // Frames under way must be off the staging directory before the caller removes it.
      try? pool.finish()
      throw error
    }
  }

  private mutating func pass() throws -> Made {
    container.discardStreams(
      except: Set(([plan.video].compactMap(\.self) + plan.audio.map(\.stream)).map(\.index)))
    let packet = try Packet()
    while !isSatisfied, try readPacket(into: packet) {
      if packet.streamIndex == plan.video?.index {
        try decodeVideo(packet)
      } else if let track = audio.first(where: { $0.stream.index == packet.streamIndex }) {
        try track.consume(packet)
        if video == nil { meter.reached(track.position, stage: "audio") }
      }
      if meter.isCancelled {
        throw MediaError.interrupted(container.path)
      }
    }
    let made = try finish()
    try dropWhatIsEmpty(made)
    warnOfEarlyEnd()
    return made
  }

  /// Whether all that is wanted lies behind: stills at the beginning of a film need not decode it all.
  private var isSatisfied: Bool {
    guard audio.allSatisfy(\.isSatisfied) else { return false }
    guard let video else { return true }
    guard video.frameCount > 0 else { return false }
    return key?.isSatisfied(at: video.position) ?? true && stills?.isSatisfied ?? true
  }

  /// - Returns: false at the end, or where the container is damaged beyond reading on.
  private func readPacket(into packet: Packet) throws(FFmpegError) -> Bool {
    do throws(FFmpegError) {
      return try container.readPacket(into: packet)
    } catch {
      guard error.code == .invalidData || error.code == .endOfFile else { throw error }
      warnings.damage("the file ends early or is damaged: \(error.reason)")
      return false
    }
  }

  private mutating func decodeVideo(_ packet: Packet?) throws {
    guard let video else { return }
    let (key, stills) = (key, stills)
    let before = video.frameCount
    try video.decode(packet) { shown in
      try key?.consume(shown)
      try stills?.consume(shown)
    }
    meter.count(frames: video.frameCount - before)
    meter.reached(video.position, stage: key == nil ? "stills" : "keying")
  }

  private mutating func finish() throws -> Made {
    try decodeVideo(nil)
    var made = Made()
    if let video {
      try key?.finish(end: video.end)
      try stills?.finish(end: video.end, isPicture: container.isSinglePicture)
    }
    try pool.finish()
    made.tracks = try audio.compactMap { try $0.finish() }
    meter.enter("checking", complete: true)
    if let key, let report = key.settle() { made.key = (report, key.frameCount) }
    made.stills = try stills?.settle() ?? []
    for line in LogCapture.take().lines { warnings.damage(line.message) }
    return made
  }

  /// A download that broke off can decode without an error: only its length tells.
  ///
  /// It is no proof,
  /// since headers lie as well, so the output does not count as partial for it.
  private func warnOfEarlyEnd() {
    func check(_ stream: FFmpeg.Stream?, _ word: String, end: Double) {
      guard let declared = stream?.duration, !container.isDurationEstimated, end > 0 else { return }
      // A second, and 2 %: encoders round, and players hide padding.
      guard end < declared * 0.98 - 1 else { return }
      warnings.note(
        "\(word) ends at \(Timecode.text(end)) of the declared \(Timecode.text(declared))")
    }
    if let video, !isSatisfied { check(plan.video, "video", end: video.end) }
    for track in audio where !track.isSatisfied { check(track.stream, "audio", end: track.end) }
  }

  private mutating func dropWhatIsEmpty(_ made: Made) throws(MediaError) {
    if let video, video.frameCount == 0 {
      let detail = warnings.first.map { ": \($0)" } ?? ""
      try plan.drop(
        .video, because: "no picture could be decoded\(detail)", input: container.path,
        warnings: warnings)
    }
    if !audio.isEmpty, audio.allSatisfy(\.isEmpty) {
      let detail = warnings.first.map { ": \($0)" } ?? ""
      try plan.drop(
        .audio, because: "no sound could be decoded\(detail)", input: container.path,
        warnings: warnings)
    }
    let isAnythingMade = made.key != nil || !made.stills.isEmpty || !made.tracks.isEmpty
    func pass(over reason: String, isOptional: Bool) throws(MediaError) {
      guard isOptional, isAnythingMade else { throw MediaError(.input, container.path, reason) }
      warnings.note("skipped: \(reason)")
    }
    if let key = plan.key, made.key == nil {
      try pass(
        over: "no frame lies between the recipe's from and to", isOptional: key.optional)
    }
    // Where only some of the tracks fall short, what is made of the others is what was asked for.
    let isShort = audio.allSatisfy { $0.shortfall != nil || $0.isEmpty }
    for shortfall in audio.compactMap(\.shortfall) {
      try pass(
        over: shortfall, isOptional: !isShort || plan.audioSection?.optional ?? true)
    }
  }
}
