internal import CFFmpeg

/// libavfilter, which is loaded where the first filter is wanted and stays.
///
/// Not linked, since it brings a hundred and more libraries into the process (docs/decisions.md).
enum FilterLibrary {
  private static let loaded: Result<km_filter_functions, FFmpegError> = load()

  /// Its functions.
  /// - Throws: `libraryNotFound` with the loader's words.
  static func functions() throws(FFmpegError) -> km_filter_functions { try loaded.get() }

  private static func load() -> Result<km_filter_functions, FFmpegError> {
    let functions = UnsafeMutablePointer<km_filter_functions>.allocate(capacity: 1)
    defer { unsafe functions.deallocate() }
    var reason = [CChar](repeating: 0, count: 256)
    // Writes at most `count` bytes and ends them with a zero, or else fills `functions`.
    let isLoaded = unsafe reason.withUnsafeMutableBufferPointer { reason in
      guard let start = reason.baseAddress else { return false }
      return unsafe km_load_filters(functions, start, reason.count) == 1
    }
    if isLoaded { return unsafe .success(functions.pointee) }
    let detail = String(
      decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return .failure(
      FFmpegError(
        code: .libraryNotFound, call: "dlopen", subject: unsafe String(cString: km_filter_library),
        detail: detail))
  }
}
