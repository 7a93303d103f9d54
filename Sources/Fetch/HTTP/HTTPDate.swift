import CCurl
import Glibc

/// Points in time as HTTP writes them, in whole seconds since 1970 UTC.
enum HTTPDate {
  /// This second.
  static var now: Int64 { Int64(time(nil)) }

  /// Reads a date of any of the three forms that HTTP has had (RFC 9110, section 5.6.7).
  static func seconds(_ text: String) -> Int64? {
    let time = unsafe curl_getdate(text, nil)
    return time < 0 ? nil : Int64(time)
  }

  /// How many seconds after `now` a `Retry-After` field lets us come again (RFC 9110, section 10.2.3).
  static func delay(_ retryAfter: String, now: Int64) -> Double? {
    if let seconds = retryAfter.wholeNumber { return Double(seconds) }
    return seconds(retryAfter).map { Double(max(0, $0 - now)) }
  }
}

extension ResponseHead {
  /// The validator of which equal means equal byte for byte, to resume by; empty where there is none.
  ///
  /// A strong entity tag, or a date of modification a minute or more before the answer's own: one
  /// within the same second may stand for two states (RFC 9110, sections 8.8.2.2 and 13.1.5).
  var strongValidators: HTTPValidators {
    if let etag = self["etag"] {
      let isStrong = etag.hasPrefix("\"") && etag.hasSuffix("\"") && etag.utf8.count > 1
      return HTTPValidators(etag: isStrong ? etag : nil)
    }
    guard let text = self["last-modified"], let modified = HTTPDate.seconds(text),
      let date = self["date"].flatMap(HTTPDate.seconds), date - modified >= 60
    else { return HTTPValidators() }
    return HTTPValidators(lastModified: text)
  }
}
