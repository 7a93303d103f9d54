internal import CFFmpeg

/// Runs pictures through a chain of FFmpeg's own filters, such as `bwdif` to deinterlace.
///
/// ``send(_:)`` a frame, then ``receive()`` until it needs input; at the end
/// ``sendEndOfStream()`` and receive until drained.
@safe public final class FilterGraph {
  /// What a call for a frame gives.
  public enum Output: Sendable {
    /// The next frame.
    case frame(Frame)
    /// Nothing before the next frame is sent.
    case needsInput
    /// Nothing ever again: the end was sent, and every frame was received.
    case drained
  }

  // `graph` is owned and owns the two filters.
  private let graph: UnsafeMutablePointer<AVFilterGraph>
  private let source: UnsafeMutablePointer<AVFilterContext>
  private let sink: UnsafeMutablePointer<AVFilterContext>
  private let library: km_filter_functions
  private let description: String
  private let timeBase: Rational
  private let transform: DisplayTransform
  private let isAlphaUnused: Bool

  /// Sets a chain up for frames of the shape of `frame`.
  ///
  /// The first graph of a process loads libavfilter, which takes some 70 ms of CPU.
  /// - Parameters:
  ///   - description: Filters as `ffmpeg -vf` takes them: `bwdif=mode=send_frame:deint=all`.
  ///   - frame: A frame like those to come: same size, format and time base.
  ///   - threads: Threads to filter with, 0 for one per core.
  /// - Throws: `libraryNotFound`, `filterNotFound`, `optionNotFound`, `invalidArgument`.
  public init(
    _ description: String, like frame: Frame, threads: Int = 1
  ) throws(FFmpegError) {
    let library = try FilterLibrary.functions()
    guard frame.timeBase.isPositive else {
      throw FFmpegError(
        code: .invalidArgument, call: "avfilter_graph_create_filter",
        subject: "time base \(frame.timeBase)")
    }
    let graph = unsafe library.avfilter_graph_alloc()
    guard let graph = unsafe graph else { throw outOfMemory("avfilter_graph_alloc") }
    do throws(FFmpegError) {
      unsafe graph.pointee.nb_threads = Int32(clamping: threads)
      unsafe source = try library.add("buffer", options: frame.bufferOptions, to: graph)
      unsafe sink = try library.add("buffersink", options: nil, to: graph)
      try unsafe library.connect(source, description, sink, in: graph)
    } catch {
      var graph: UnsafeMutablePointer<AVFilterGraph>? = unsafe graph
      unsafe library.avfilter_graph_free(&graph)
      throw error
    }
    unsafe self.graph = graph
    self.library = library
    self.description = description
    timeBase = frame.timeBase
    transform = frame.displayTransform
    isAlphaUnused = frame.pixelFormat.hasAlpha && !frame.hasAlpha
  }

  deinit {
    var graph: UnsafeMutablePointer<AVFilterGraph>? = unsafe graph
    unsafe library.avfilter_graph_free(&graph)
  }

  /// Hands over a frame, which stays as it is.
  ///
  /// What it says of its colours, its fields and its orientation goes with it. Wraps
  /// `av_buffersrc_add_frame_flags`.
  public func send(_ frame: Frame) throws(FFmpegError) {
    let flags = Int32(AV_BUFFERSRC_FLAG_KEEP_REF)
    let reference = try frame.makeReference()
    reference.setTime(frame.pts)
    unsafe try check(
      library.av_buffersrc_add_frame_flags(source, reference.pointer, flags),
      "av_buffersrc_add_frame_flags", description)
  }

  /// Says that there are no more frames.
  public func sendEndOfStream() throws(FFmpegError) {
    unsafe try check(
      library.av_buffersrc_add_frame_flags(source, nil, 0), "av_buffersrc_add_frame_flags",
      description)
  }

  /// Gives the next frame, if there is one, in the time base of those sent.
  ///
  /// Wraps `av_buffersink_get_frame`.
  public func receive() throws(FFmpegError) -> Output {
    let raw = try unsafe allocated(av_frame_alloc(), "av_frame_alloc")
    let frame = unsafe Frame(
      owning: raw, timeBase: timeBase, streamTransform: transform, isAlphaUnused: isAlphaUnused)
    let result = unsafe library.av_buffersink_get_frame(sink, raw)
    if result == km_error_again { return .needsInput }
    if result == km_error_eof { return .drained }
    try check(result, "av_buffersink_get_frame", description)
    // Some filters count in finer ticks (bwdif in halves), and set `pts` only: durations stay as they
    // came, and so do older estimates, which would go before it.
    let filtered = unsafe Rational(library.av_buffersink_get_time_base(sink))
    frame.setTime(unsafe knownTicks(raw.pointee.pts).map { filtered.rescale($0, to: timeBase) })
    unsafe raw.pointee.best_effort_timestamp = raw.pointee.pts
    return .frame(frame)
  }
}

extension km_filter_functions {
  /// Adds a filter, which the graph owns.
  fileprivate func add(
    _ name: String, options: String?, to graph: UnsafeMutablePointer<AVFilterGraph>
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVFilterContext> {
    guard let filter = unsafe avfilter_get_by_name(name) else {
      throw FFmpegError(code: .filterNotFound, call: "avfilter_get_by_name", subject: name)
    }
    var context: UnsafeMutablePointer<AVFilterContext>?
    unsafe try check(
      avfilter_graph_create_filter(&context, filter, name, options, nil, graph),
      "avfilter_graph_create_filter", name)
    guard let context = unsafe context else { throw outOfMemory("avfilter_graph_create_filter") }
    return unsafe context
  }

  /// Puts the described chain between source and sink.
  fileprivate func connect(
    _ source: UnsafeMutablePointer<AVFilterContext>, _ description: String,
    _ sink: UnsafeMutablePointer<AVFilterContext>, in graph: UnsafeMutablePointer<AVFilterGraph>
  ) throws(FFmpegError) {
    // The open ends of the chain, which the parser consumes; seen from it, the source's output is
    // one to take up, named "in".
    var outputs = unsafe avfilter_inout_alloc()
    var inputs = unsafe avfilter_inout_alloc()
    defer {
      unsafe avfilter_inout_free(&outputs)
      unsafe avfilter_inout_free(&inputs)
    }
    guard let output = unsafe outputs, let input = unsafe inputs else {
      throw outOfMemory("avfilter_inout_alloc")
    }
    unsafe output.pointee.name = av_strdup("in")
    unsafe output.pointee.filter_ctx = source
    unsafe input.pointee.name = av_strdup("out")
    unsafe input.pointee.filter_ctx = sink
    unsafe try check(
      avfilter_graph_parse_ptr(graph, description, &inputs, &outputs, nil),
      "avfilter_graph_parse_ptr", description)
    unsafe try check(avfilter_graph_config(graph, nil), "avfilter_graph_config", description)
  }
}

extension Frame {
  /// The frame's shape as the `buffer` filter wants it.
  fileprivate var bufferOptions: String {
    "video_size=\(width)x\(height):pix_fmt=\(pixelFormat.name):time_base=\(timeBase)"
      + ":pixel_aspect=\(sampleAspectRatio)"
  }
}
