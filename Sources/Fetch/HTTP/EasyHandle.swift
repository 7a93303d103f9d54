import CCurl

/// A libcurl transfer with all its options, and what libcurl reads and writes while it runs.
///
/// Safe: the pointers are made, used and freed here and in ``HTTPClient`` alone, on one thread.
@safe
struct EasyHandle: ~Copyable {
  /// libcurl's handle.
  let handle: UnsafeMutableRawPointer
  /// Where libcurl writes what went wrong.
  private let words: UnsafeMutablePointer<CChar>
  private var fields: UnsafeMutablePointer<curl_slist>?

  /// Makes a transfer without options.
  init() throws(FetchError) {
    guard let handle = unsafe curl_easy_init() else {
      throw FetchError(.process, url: "", "libcurl cannot be set up")
    }
    unsafe self.handle = handle
    unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe words.pointee = 0
    unsafe fields = nil
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(fields)
    unsafe words.deallocate()
  }

  /// Sets what is to be asked.
  mutating func set(_ request: HTTPRequest) throws(FetchError) {
    try check(unsafe km_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, words))
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
      try check(unsafe km_curl_set_text(handle, CURLOPT_CAPATH, nil))
    }
    for field in request.fields { try add(field) }
    try check(unsafe km_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields))
  }

  /// Sets where what comes goes to; `exchange` has to outlive the transfer.
  func set(_ exchange: Exchange) throws(FetchError) {
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA] {
      try check(unsafe km_curl_set_pointer(handle, option, context))
    }
    try check(unsafe km_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION, km_receive_line))
    try check(unsafe km_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION, km_receive_body))
    try check(unsafe km_curl_set_opener(handle, km_open_socket))
  }

  /// How the transfer ended that libcurl gives this code.
  func end(_ code: CURLcode) -> TransferEnd {
    // libcurl ends the text with a null, and its own texts are static.
    let text = unsafe words.pointee == 0 ? curl_easy_strerror(code) : UnsafePointer(words)
    return TransferEnd(code: code, words: unsafe text.map { unsafe String(cString: $0) } ?? "")
  }

  private mutating func add(_ field: String) throws(FetchError) {
    guard let longer = unsafe curl_slist_append(fields, field) else {
      throw FetchError(.process, url: "", "out of memory")
    }
    unsafe fields = longer
  }

  private func set(_ option: CURLoption, _ value: Int) throws(FetchError) {
    try check(unsafe km_curl_set_long(handle, option, value))
  }

  private func set(_ option: CURLoption, _ text: String) throws(FetchError) {
    try check(unsafe km_curl_set_text(handle, option, text))
  }

  /// An option may fail for want of memory, or because this libcurl does not know it; nothing is asked
  /// with less than all of them.
  private func check(_ code: CURLcode) throws(FetchError) {
    guard code != CURLE_OK else { return }
    let text = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) }
    throw FetchError(.process, url: "", "libcurl: \(text ?? "\(code.rawValue)")")
  }
}
