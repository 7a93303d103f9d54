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

/// Runs transfers, one after the other; names that were found and certificates that were read are kept
/// for the next.
///
/// Safe: the handle is made, used and freed here alone, on one thread.
@safe
final class HTTPClient {
  private let handle: UnsafeMutableRawPointer

  /// Once for the process, before there are threads.
  private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  init() throws(FetchError) {
    guard Self.library == CURLE_OK, let handle = unsafe curl_multi_init() else {
      throw FetchError(.process, url: "", "libcurl cannot be set up")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe curl_multi_cleanup(handle) }

  /// What a tick wants.
  enum Tick {
    /// To be called again after at most as long.
    case wait(Duration)
    /// Nothing more.
    case end
  }

  /// Sends a request and hands what comes to `exchange`, until the end.
  ///
  /// `tick` is called often, and at the latest after as long as it says; it may end the transfer by
  /// throwing.
  /// - Returns: How it ended; `nil` where the tick says that it has all it needs.
  func perform(
    _ request: HTTPRequest, _ exchange: Exchange, tick: () throws(FetchError) -> Tick
  ) throws(FetchError) -> TransferEnd? {
    var transfer = try EasyHandle()
    try transfer.set(request)
    try transfer.set(exchange)
    try check(unsafe curl_multi_add_handle(handle, transfer.handle))
    defer {
      unsafe curl_multi_remove_handle(handle, transfer.handle)
      // libcurl has had a pointer to it.
      withExtendedLifetime(exchange) {}
    }
    while true {
      var running: Int32 = 0
      try check(unsafe curl_multi_perform(handle, &running))
      guard running > 0 else { return transfer.end(result()) }
      guard case .wait(let time) = try tick() else { return nil }
      // Rounded up: waking before the time is over would spin.
      let milliseconds = Int32(clamping: Int(max(time, .zero) / .milliseconds(1)) + 1)
      try check(unsafe curl_multi_poll(handle, nil, 0, milliseconds, nil))
    }
  }

  private func result() -> CURLcode {
    var code = CURLE_OK
    _ = unsafe km_curl_result(handle, &code)
    return code
  }

  private func check(_ code: CURLMcode) throws(FetchError) {
    guard code != CURLM_OK else { return }
    let text = unsafe curl_multi_strerror(code).map { unsafe String(cString: $0) }
    throw FetchError(.process, url: "", "libcurl: \(text ?? "\(code.rawValue)")")
  }
}
