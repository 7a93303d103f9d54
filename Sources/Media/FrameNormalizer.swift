import FFmpeg

/// Makes pictures progressive and SDR on their way from the decoder to all that is made of them.
///
/// Frames that are both pass untouched. Others go through FFmpeg's filters, and with them those that
/// follow in the same shape: to deinterlace a frame takes its neighbours. One frame comes out for each,
/// with its time, up to one frame late.
final class FrameNormalizer {
  private let threads: Int
  private let warnings: Warnings
  private var stage: Stage?
  private var told: Set<String> = []

  /// A run of frames of one shape under the same filters; without a graph they pass as they are.
  private struct Stage {
    let shape: FrameShape
    let steps: Normalization
    var graph: FilterGraph?
    /// Whether the graph has taken a frame.
    var isProven = false

    func takes(_ frame: Frame) -> Bool {
      (steps.deinterlaces || !frame.isInterlaced) && shape == FrameShape(frame)
    }
  }

  /// Filters on this many threads; `warnings` tells what was done to the clip.
  init(threads: Int, warnings: Warnings) {
    self.threads = threads
    self.warnings = warnings
  }

  /// Takes the next frame and gives those that are ready to `show`.
  ///
  /// Where the filters cannot be had, that is a warning, and frames pass as they are.
  func normalize(_ frame: Frame, show: (Frame) throws -> Void) throws {
    if stage?.takes(frame) != true {
      try finish(show: show)
      guard let steps = Normalization(for: frame) else { return try show(frame) }
      stage = try begin(steps, with: frame)
    }
    guard let graph = stage?.graph else { return try show(frame) }
    guard stage?.isProven == false else {
      try graph.send(frame)
      return try pass(from: graph, to: show)
    }
    // Some filters look at what they are given only now, and refuse colours that they do not know.
    guard let ready = try firstFrames(of: frame, from: graph) else { return try show(frame) }
    for frame in ready { try show(frame) }
  }

  /// Sends the first frame; nil where the filters cannot take it, after which frames pass as they are.
  private func firstFrames(of frame: Frame, from graph: FilterGraph) throws -> [Frame]? {
    do throws(FFmpegError) {
      var ready: [Frame] = []
      try graph.send(frame)
      while case .frame(let frame) = try graph.receive() { ready.append(frame) }
      // Deinterlacing holds the first frame back.
      stage?.isProven = true
      tellDone(stage?.steps)
      return ready
    } catch {
      guard error.code != .outOfMemory else { throw error }
      tellRefused(stage?.steps, error)
      stage?.graph = nil
      return nil
    }
  }

  /// Gives what is held back, at the clip's end.
  func finish(show: (Frame) throws -> Void) throws {
    guard let stage else { return }
    self.stage = nil
    guard let graph = stage.graph else { return }
    try graph.sendEndOfStream()
    try pass(from: graph, to: show)
  }

  private func pass(from graph: FilterGraph, to show: (Frame) throws -> Void) throws {
    while case .frame(let frame) = try graph.receive() { try show(frame) }
  }

  private func begin(_ steps: Normalization, with frame: Frame) throws(FFmpegError) -> Stage {
    var graph: FilterGraph?
    do throws(FFmpegError) {
      graph = try FilterGraph(steps.description, like: frame, threads: threads)
    } catch {
      // That says nothing about the input.
      guard error.code != .outOfMemory else { throw error }
      tellRefused(steps, error)
    }
    return Stage(shape: FrameShape(frame), steps: steps, graph: graph)
  }

  private func tellDone(_ steps: Normalization?) {
    guard let steps else { return }
    tell(steps.deinterlaces, "interlaced input: deinterlaced")
    tell(steps.toneMaps, "HDR input: tone-mapped to SDR")
  }

  private func tellRefused(_ steps: Normalization?, _ error: FFmpegError) {
    guard let steps else { return }
    tell(steps.deinterlaces, "interlaced input: not deinterlaced: \(error.reason)")
    tell(steps.toneMaps, "HDR input: not tone-mapped: \(error.reason)")
  }

  private func tell(_ applies: Bool, _ text: String) {
    if applies, told.insert(text).inserted { warnings.note(text) }
  }
}

/// What a graph of filters is set up for: where it changes, another is needed.
private struct FrameShape: Equatable {
  let width: Int
  let height: Int
  let format: PixelFormat
  let sampleAspectRatio: Rational
  let colour: ColourDescription

  init(_ frame: Frame) {
    width = frame.width
    height = frame.height
    format = frame.pixelFormat
    sampleAspectRatio = frame.sampleAspectRatio
    colour = frame.colour
  }
}
