import CCurl
import Platform

/// What to ask a server.
struct HTTPRequest {
  let url: RemoteURL
  /// The fields, each `Name: value`.
  let fields: [String]
  let proxy: String?
  let certificates: String?
  let connectTimeout: Duration
}

/// One libcurl handle with its caches: names that were found, certificates that were read.
///
/// Safe: the handles are made, used and freed here alone, on one thread.
@safe
final class HTTPClient {
  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  /// Where libcurl writes what went wrong; it keeps the pointer.
  private let words: UnsafeMutablePointer<CChar>

  /// Once for the process, before there are threads.
  private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  init() throws(FetchError) {
    guard Self.library == CURLE_OK, let easy = unsafe curl_easy_init() else {
      throw FetchError(.process, url: "", "libcurl cannot be set up")
    }
    guard let multi = unsafe curl_multi_init() else {
      unsafe curl_easy_cleanup(easy)
      throw FetchError(.process, url: "", "libcurl cannot be set up")
    }
    unsafe (self.easy, self.multi) = (easy, multi)
    unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(easy)
    unsafe curl_multi_cleanup(multi)
    unsafe words.deallocate()
  }

  /// Sends a request and hands what comes to `exchange`, until the end.
  ///
  /// `tick` is called often, and at the latest after as long as it says; it may end the transfer by
  /// throwing.
  /// - Returns: How it ended; `nil` where the tick says that it has all it needs.
  func perform(
    _ request: HTTPRequest, _ exchange: Exchange,
    tick: () throws(FetchError) -> Tick
  ) throws(FetchError) -> TransferEnd? {
    let fields = try unsafe prepare(request, exchange)
    defer {
      unsafe curl_multi_remove_handle(multi, easy)
      unsafe curl_easy_reset(easy)
      unsafe curl_slist_free_all(fields)
    }
    try check(unsafe curl_multi_add_handle(multi, easy), request)
    return try withExtendedLifetime(exchange) { () throws(FetchError) in
      try run(request, tick)
    }
  }

  /// What a tick wants.
  enum Tick {
    /// To be called again after at most as long.
    case wait(Duration)
    /// Nothing more.
    case end
  }

  private func run(
    _ request: HTTPRequest, _ tick: () throws(FetchError) -> Tick
  ) throws(FetchError) -> TransferEnd? {
    while true {
      var running: Int32 = 0
      try check(unsafe curl_multi_perform(multi, &running), request)
      if running == 0 { return end() }
      guard case .wait(let time) = try tick() else { return nil }
      // Rounded up: waking before the time is over would spin.
      let milliseconds = Int32(clamping: Int(max(time, .zero) / .milliseconds(1)) + 1)
      try check(unsafe curl_multi_poll(multi, nil, 0, milliseconds, nil), request)
    }
  }

  private func end() -> TransferEnd {
    var code = CURLE_OK
    _ = unsafe km_curl_result(multi, &code)
    guard code != CURLE_OK else { return TransferEnd(code: code, words: "") }
    // libcurl ends the text with a null, and its own texts are static.
    let text = unsafe words.pointee == 0 ? curl_easy_strerror(code) : UnsafePointer(words)
    return TransferEnd(code: code, words: unsafe text.map { unsafe String(cString: $0) } ?? "")
  }

  private func check(_ code: CURLMcode, _ request: HTTPRequest) throws(FetchError) {
    guard code != CURLM_OK else { return }
    let text = unsafe curl_multi_strerror(code).map { unsafe String(cString: $0) }
    throw FetchError(.process, url: request.url.text, "libcurl: \(text ?? "\(code.rawValue)")")
  }
}

// MARK: - Options

extension HTTPClient {
  /// Sets everything for one request.
  /// - Returns: The list of fields, which libcurl reads until the transfer is over.
  private func prepare(
    _ request: HTTPRequest, _ exchange: Exchange
  ) throws(FetchError) -> UnsafeMutablePointer<curl_slist>? {
    unsafe words.pointee = 0
    try check(unsafe km_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, words))
    try set(CURLOPT_NOSIGNAL, 1)
    // A resolver that hangs is left behind when the process ends.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_CONNECTTIMEOUT_MS, Int(request.connectTimeout / .milliseconds(1)))
    try set(CURLOPT_BUFFERSIZE, 256 << 10)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_FOLLOWLOCATION, 0)
    // Over HTTP/1.1 an answer ends with its connection, so that what is announced can be checked.
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_IGNORE_CONTENT_LENGTH, 1)
    try set(CURLOPT_FORBID_REUSE, 1)
    // Not taken from the environment; an empty text is none.
    try set(CURLOPT_PROXY, request.proxy ?? "")
    try set(CURLOPT_NOPROXY, "")
    try set(CURLOPT_USERAGENT, "keymill")
    try set(CURLOPT_URL, request.url.text)
    if let user = request.url.user { try set(CURLOPT_USERNAME, user) }
    if let password = request.url.password { try set(CURLOPT_PASSWORD, password) }
    if let certificates = request.certificates {
      try set(CURLOPT_CAINFO, certificates)
      try check(unsafe km_curl_set_text(easy, CURLOPT_CAPATH, nil))
    }
    try receive(exchange)
    return try unsafe fields(request)
  }

  private func receive(_ exchange: Exchange) throws(FetchError) {
    // `perform` keeps the exchange alive, and takes all of this back before it returns.
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA] {
      try check(unsafe km_curl_set_pointer(easy, option, context))
    }
    try check(unsafe km_curl_set_receiver(easy, CURLOPT_HEADERFUNCTION, km_receive_line))
    try check(unsafe km_curl_set_receiver(easy, CURLOPT_WRITEFUNCTION, km_receive_body))
    try check(unsafe km_curl_set_opener(easy, km_open_socket))
  }

  private func fields(
    _ request: HTTPRequest
  ) throws(FetchError) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for field in request.fields {
      guard let longer = unsafe curl_slist_append(list, field) else {
        unsafe curl_slist_free_all(list)
        throw FetchError(.process, url: request.url.text, "out of memory")
      }
      unsafe list = longer
    }
    try check(unsafe km_curl_set_pointer(easy, CURLOPT_HTTPHEADER, list))
    return unsafe list
  }

  private func set(_ option: CURLoption, _ value: Int) throws(FetchError) {
    try check(unsafe km_curl_set_long(easy, option, value))
  }

  private func set(_ option: CURLoption, _ text: String) throws(FetchError) {
    try check(unsafe km_curl_set_text(easy, option, text))
  }

  /// An option may fail for want of memory, or because this libcurl does not know it; nothing is asked
  /// with less than all of them.
  private func check(_ code: CURLcode) throws(FetchError) {
    guard code != CURLE_OK else { return }
    let text = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) }
    throw FetchError(.process, url: "", "libcurl: \(text ?? "\(code.rawValue)")")
  }
}
