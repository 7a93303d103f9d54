import CCurl
import Glibc

/// A URL that can be fetched, taken apart by the library that will connect to it, so that both see the
/// same host.
struct RemoteURL: Hashable, Sendable {
  /// The whole URL without user, password and fragment.
  let text: String
  /// `http` or `https`.
  let scheme: String
  /// The host's name or address; an IPv6 address in brackets.
  let host: String
  /// The port, also where the URL leaves it to the scheme.
  let port: String
  /// The user, decoded.
  private(set) var user: String?
  /// The password, decoded.
  private(set) var password: String?

  /// Reads a URL, or where `base` is given what a redirect from there leads to.
  ///
  /// The user and password of `base` go along to the same scheme, host and port only.
  /// - Throws: `badURL`.
  init(_ text: String, relativeTo base: RemoteURL? = nil) throws(FetchError) {
    let parts = try URLParts()
    if let base { try parts.set(base.text, shown: base.text) }
    let shown = Self.redacted(text)
    // libcurl passes over a third slash, and takes what follows for the host.
    guard !Self.isWithoutHost(text) else {
      throw FetchError(.badURL, url: shown, "the URL names no host")
    }
    try parts.set(text, shown: shown)
    guard let scheme = parts.get(CURLUPART_SCHEME), ["http", "https"].contains(scheme) else {
      throw FetchError(.badURL, url: shown, "only http and https URLs are fetched")
    }
    user = parts.get(CURLUPART_USER, decoded: true)
    password = parts.get(CURLUPART_PASSWORD, decoded: true)
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
      parts.remove(part)
    }
    guard let whole = parts.get(CURLUPART_URL), let host = parts.get(CURLUPART_HOST),
      let port = parts.get(CURLUPART_PORT, orDefault: true)
    else { throw FetchError(.badURL, url: shown, "the URL names no host") }
    (self.text, self.scheme, self.host, self.port) = (whole, scheme, host, port)
    if let base, user == nil, password == nil, isSameOrigin(as: base) {
      (user, password) = (base.user, base.password)
    }
  }

  private func isSameOrigin(as other: RemoteURL) -> Bool {
    (scheme, host, port) == (other.scheme, other.host, other.port)
  }

  /// The address that stands in place of a name.
  var literalAddress: NetworkAddress? {
    var bytes = [UInt8](repeating: 0, count: 16)
    // The calls write 4 and 16 bytes.
    if unsafe inet_pton(AF_INET, host, &bytes) == 1 {
      return NetworkAddress(bytes: Array(bytes.prefix(4)))
    }
    let bare = host.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }
    guard unsafe inet_pton(AF_INET6, String(bare), &bytes) == 1 else { return nil }
    return NetworkAddress(bytes: bytes)
  }

  /// Whether the URL says by itself that it leads to this machine or a private network.
  var namesPrivateHost: Bool {
    if let literalAddress { return !literalAddress.isPublic }
    let name = host.lowercased()
    return name == "localhost" || name.hasSuffix(".localhost")
  }

  /// Whether nothing is between the slashes where the host has to be (RFC 3986, section 3.2).
  private static func isWithoutHost(_ text: String) -> Bool {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let rest = text[scheme.endIndex...]
    let authority = !scheme.isEmpty && rest.first == ":" ? rest.dropFirst() : rest
    return authority.hasPrefix("///")
  }

  /// A text that may be a URL, without what could be a password in it.
  private static func redacted(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    let start = text.firstRange(of: "//")?.upperBound ?? text.startIndex
    return start < at ? String(text[..<start] + text[text.index(after: at)...]) : text
  }
}

/// A URL in libcurl's parser.
///
/// Safe: the handle is made, used and freed here alone.
@safe
private struct URLParts: ~Copyable {
  private let handle: OpaquePointer

  init() throws(FetchError) {
    guard let handle = unsafe curl_url() else {
      throw FetchError(.process, url: "", "out of memory")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe curl_url_cleanup(handle) }

  /// Takes a URL, or one that is relative to what is there.
  func set(_ text: String, shown: String) throws(FetchError) {
    // Spaces are common in redirects. A scheme we do not fetch is refused later, by its name.
    let flags = UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
    let code = unsafe curl_url_set(handle, CURLUPART_URL, text, flags)
    guard code != CURLUE_OK else { return }
    let words = unsafe curl_url_strerror(code).map { unsafe String(cString: $0) }
    throw FetchError(.badURL, url: shown, "not a URL: \(words ?? "error \(code.rawValue)")")
  }

  func remove(_ part: CURLUPart) { _ = unsafe curl_url_set(handle, part, nil, 0) }

  func get(_ part: CURLUPart, decoded: Bool = false, orDefault: Bool = false) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    let flags = (decoded ? CURLU_URLDECODE : 0) | (orDefault ? CURLU_DEFAULT_PORT : 0)
    guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
      let text = unsafe text
    else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
