internal import CFFmpeg
internal import Glibc

/// Owns an open `AVFormatContext` and its file; ``InputContainer`` is what others see.
@safe final class Demuxer {
  // Both owned. `context` is set before `init` returns, and closed before the `io` it reads from.
  let context: UnsafeMutablePointer<AVFormatContext>
  private let io: FileIO

  /// Opens `path`, and tells by its content, helped by its extension, what it is.
  ///
  /// `settings` are options of the demuxer; those that it does not know are passed over. Where
  /// `beginning` is given it says what the file is, and is believed.
  init(
    path: String, settings: [String: String] = [:], beginning: InputBeginning? = nil
  ) throws(FFmpegError) {
    io = try FileIO(reading: path)
    let format: UnsafePointer<AVInputFormat>
    if let beginning {
      unsafe format = try Self.format(named: beginning.formatName)
    } else {
      unsafe format = try Self.probe(io, path: path)
    }
    var settings = settings
    settings["skip_initial_bytes"] = beginning.map { String($0.offset) }
    var context = unsafe avformat_alloc_context()
    guard let allocated = unsafe context else { throw outOfMemory("avformat_alloc_context") }
    unsafe allocated.pointee.pb = io.pointer
    unsafe km_refuse_nested_files(allocated)
    var options = StringDictionary(settings.merging(["protocol_whitelist": "file"]) { $1 })
    // Frees the context where it fails.
    let result = unsafe options.lend { options in
      unsafe avformat_open_input(&context, FileIO.url(path), format, options)
    }
    // Some demuxers say "invalid argument" of a file that is not theirs.
    let isForeign = result == FFmpegError.Code.invalidArgument.rawValue
    try check(isForeign ? km_error_invalid_data : result, "avformat_open_input", path)
    unsafe self.context = allocated
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe avformat_close_input(&context)
  }

  var formatName: String { unsafe String(cString: context.pointee.iformat.pointee.name) }

  /// Whether the demuxer reads one picture file (`png_pipe`, `jpeg_pipe`, …).
  var isPictureFormat: Bool { formatName.hasSuffix("_pipe") }

  /// An I/O error that FFmpeg took for the end of the file.
  var readError: Int32? {
    let error = unsafe io.pointer.pointee.error
    return error < 0 && error != km_error_eof ? error : nil
  }

  private static func format(named name: String) throws(FFmpegError) -> UnsafePointer<AVInputFormat>
  {
    guard let format = unsafe av_find_input_format(name) else {
      throw FFmpegError(code: .demuxerNotFound, call: "av_find_input_format", subject: name)
    }
    return unsafe format
  }

  private static func probe(
    _ io: FileIO, path: String
  ) throws(FFmpegError) -> UnsafePointer<AVInputFormat> {
    var format = try unsafe probe(io, name: path, path: path)
    // The demuxer of numbered picture files goes by the name alone and takes `%` for a pattern;
    // without a name the content decides.
    if unsafe String(cString: format.pointee.name) == "image2" {
      unsafe format = try probe(io, name: "", path: path)
    }
    return unsafe format
  }

  private static func probe(
    _ io: FileIO, name: String, path: String
  ) throws(FFmpegError) -> UnsafePointer<AVInputFormat> {
    var format: UnsafePointer<AVInputFormat>?
    let result = unsafe av_probe_input_buffer2(io.pointer, &format, name, nil, 0, 0)
    try check(result, "av_probe_input_buffer2", path)
    guard let format = unsafe format else {
      throw FFmpegError(code: .invalidData, call: "av_probe_input_buffer2", subject: path)
    }
    return unsafe format
  }
}

extension Demuxer {
  /// Makes the demuxer hand over a picture file in one piece, undivided by a parser.
  func readWholeFileAsOnePacket() {
    unsafe context.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
  }

  /// Reads, and where need be decodes, the first packets to fill in what the header leaves open.
  func findStreamInfo(limits: DecodeLimits, path: String) throws(FFmpegError) {
    let count = unsafe Int(context.pointee.nb_streams)
    // One dictionary a stream, owned here; streams found later have FFmpeg's own limits.
    var options = unsafe [OpaquePointer?]()
    for _ in 0..<count {
      var one = StringDictionary(["max_pixels": String(limits.maxPixels)])
      unsafe options.append(one.release())
    }
    let result = unsafe options.withUnsafeMutableBufferPointer { buffer in
      unsafe avformat_find_stream_info(context, buffer.baseAddress)
    }
    for index in 0..<count {
      unsafe av_dict_free(&options[index])
    }
    // A stream without parameters does not make the others useless.
    if unsafe context.pointee.nb_streams == 0 {
      try check(result, "avformat_find_stream_info", path)
    }
  }
}
