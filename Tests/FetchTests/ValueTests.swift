@testable import Fetch
import Testing

/// What can be told without a network.
struct ValueTests {
  private func address(_ text: String) throws -> NetworkAddress {
    let host = text.contains(":") ? "[\(text)]" : text
    return try #require(try RemoteURL("http://\(host)/").literalAddress)
  }

  @Test(arguments: [
    "0.0.0.0", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
    "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1",
    "239.1.2.3", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:192.168.0.1", "::127.0.0.1", "64:ff9b::10.0.0.1",
    "64:ff9b:1::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "2001::1",
    "2001:db8::1", "2002:7f00:1::", "3fff::1", "100::1", "5f00::1", "4000::1",
  ])
  func `an address that is not public is known`(text: String) throws {
    #expect(try !address(text).isPublic)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "128.0.0.1",
    "169.253.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.1.1", "198.17.1.1",
    "198.20.0.0", "223.255.255.255",
    "2606:4700::1111", "2a00:1450:4001::1", "2001:4860:4860::8888", "3ffe::1",
    "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
  ])
  func `an address that is public is known`(text: String) throws {
    #expect(try address(text).isPublic)
  }

  @Test func `addresses are written as they are known`() throws {
    #expect("\(try address("192.168.0.1"))" == "192.168.0.1")
    #expect("\(try address("fe80::a:1"))" == "fe80:0:0:0:0:0:a:1")
  }

  @Test(
    arguments: [
      ("bytes 0-9/10", 0, 10, 10), ("bytes 5-5/10", 5, 6, 10), ("Bytes 0-4/*", 0, 5, nil),
    ] as [(String, Int64, Int64, Int64?)])
  func `a range is read`(text: String, first: Int64, end: Int64, total: Int64?) throws {
    let range = try #require(ContentRange(text))
    #expect((range.first, range.end) == (first, end))
    #expect(range.total == total)
  }

  @Test(arguments: [
    "", "bytes", "bytes 5-4/10", "bytes 0-10/10", "bytes 0-9", "bytes */10", "bytes -5/10",
    "bytes 0-9/10/10", "items 0-9/10", "bytes 0-9/-1", "bytes +0-9/10", "bytes 0-9/x",
    "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*",
  ])
  func `a range that makes no sense is none`(text: String) {
    #expect(ContentRange(text) == nil)
  }

  private func head(_ lines: String...) -> ResponseHead {
    lines.reduce(into: ResponseHead()) { $0.add($1) }
  }

  @Test func `equal lengths count as one and different ones as none`() {
    #expect(head("content-LENGTH:  5 ").contentLength == .value(5))
    #expect(head("Content-Length: 5, 5", "Content-Length: 5").contentLength == .value(5))
    #expect(head("Content-Length: 5", "Content-Length: 6").contentLength == .nonsense)
    #expect(head("Content-Length: -5").contentLength == .nonsense)
    #expect(head("Content-Length:").contentLength == .nonsense)
    #expect(head("X: 5").contentLength == .nothing)
  }

  @Test func `a later head takes the place of a provisional one`() {
    let head = head("HTTP/1.1 100 Continue", "ETag: \"a\"", "HTTP/1.1 200 OK")
    #expect(head.status == 200)
    #expect(head["etag"] == nil)
  }

  @Test func `a field with control characters is no field`() {
    #expect(head("ETag: \"a\rX: y\"")["etag"] == nil)
  }

  @Test func `a time to come again is a number or a date`() {
    #expect(HTTPDate.delay("120", now: 0) == 120)
    #expect(HTTPDate.delay("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_767) == 10)
    #expect(HTTPDate.delay("Sunday, 06-Nov-94 08:49:37 GMT", now: 784_111_767) == 10)
    #expect(HTTPDate.delay("Sun Nov  6 08:49:37 1994", now: 784_111_767) == 10)
    #expect(HTTPDate.delay("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_787) == 0)
    #expect(HTTPDate.delay("soon", now: 0) == nil)
    #expect(HTTPDate.delay("-1", now: 0) == nil)
  }

  @Test func `waits double up to the longest`() {
    let backoff = Backoff(limits: FetchLimits())
    func delay(_ failures: Int, _ asked: Double? = nil, _ chance: Double = 1) -> Duration {
      backoff.delay(afterFailures: failures, retryAfter: asked, chance: chance)
    }
    #expect(
      [1, 2, 3, 4].map { delay($0) } == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(delay(100) == .seconds(120))
    #expect(delay(1, nil, 0) == .milliseconds(500))
    #expect(delay(1, 60) == .seconds(60))
    #expect(delay(1, 0.1) == .seconds(1))
    #expect(delay(1, 1e300) == .seconds(120))
  }

  @Test func `a pause is told once, and a stall ends it`() {
    var meter = SpeedMeter(patience: .seconds(10), minSpeed: 100, now: .zero)
    meter.count(5000, now: .seconds(1))
    #expect(meter.check(now: .seconds(2)) == .fine)
    #expect(meter.nextCheck == .seconds(6))
    #expect(meter.check(now: .seconds(6)) == .pausing(.seconds(5)))
    #expect(meter.check(now: .seconds(7)) == .fine)
    #expect(meter.check(now: .seconds(10)) == .fine)
    #expect(meter.nextCheck == .seconds(20))
    #expect(meter.check(now: .seconds(20)) == .stalled)
  }

  @Test func `too little in a stretch is a stall`() {
    var meter = SpeedMeter(patience: .seconds(10), minSpeed: 100, now: .zero)
    for second in 1...9 { meter.count(100, now: .seconds(second)) }
    #expect(meter.check(now: .seconds(9)) == .fine)
    meter.count(99, now: .seconds(10))
    #expect(meter.check(now: .seconds(10)) == .stalled)
    meter.count(1, now: .seconds(10))
    #expect(meter.check(now: .seconds(10)) == .fine)
  }

  @Test func `a URL is taken apart`() throws {
    let url = try RemoteURL("HTTPS://m%65:p%40ss@Example.org/a/../b?c#d")
    #expect(url.text == "https://example.org/b?c" || url.text == "https://Example.org/b?c")
    #expect((url.scheme, url.port) == ("https", "443"))
    #expect((url.user, url.password) == ("me", "p@ss"))
    #expect(try RemoteURL("//other/x", relativeTo: url).text == "https://other/x")
    #expect(try RemoteURL("https://other/x", relativeTo: url).password == nil)
    #expect(try RemoteURL("https://u:q@other/x", relativeTo: url).password == "q")
    #expect(try RemoteURL("http://example.org/b", relativeTo: url).password == nil)
  }

  @Test(arguments: ["///x", "http:///x/y", "https:////x"])
  func `a redirect without a host is refused`(text: String) throws {
    let url = try RemoteURL("https://example.org/a")
    let error = #expect(throws: FetchError.self) { _ = try RemoteURL(text, relativeTo: url) }
    #expect(error?.code == .badURL)
  }

  @Test(arguments: [
    "", "x", "http://", "http://[::1", "http://host:99999/", "/path", "file:///x",
    "http://a\nb/", "http:///x", "https:////x/y",
  ])
  func `what is no URL is refused`(text: String) {
    let error = #expect(throws: FetchError.self) { _ = try RemoteURL(text) }
    #expect(error?.code == .badURL)
  }
}
