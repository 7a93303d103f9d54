@testable import Fetch
import Platform
import TestServer
import TestSupport
import Testing

/// Where requests go, and where they do not.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct RedirectTests {
  private static let body = track(1000)

  /// Redirects `/start` to a place, and has a file everywhere else.
  private func server(_ location: String, status: String = "302 Found") throws -> BadServer {
    try BadServer { asked in
      asked.path == "/start"
        ? [.head(status, "Location: \(location)", "Content-Length: 5"), .send([1, 2, 3, 4, 5])]
        : [.head("200 OK", "Content-Length: 1000"), .send(Self.body)]
    }
  }

  @Test(arguments: ["301 A", "302 B", "303 C", "307 D", "308 E"])
  func `a redirect is followed`(status: String) throws {
    let server = try server("../there/a b.mp3?x=1#here", status: status)
    let fetched = fetch(server.url("/start"))
    #expect(fetched.bytes == Self.body)
    #expect(server.asked.map(\.path) == ["/start", "/there/a%20b.mp3?x=1"])
    guard case .finished(let file) = fetched.outcome else { return }
    #expect(file.url == server.url("/there/a%20b.mp3?x=1"))
  }

  @Test func `a circle ends after ten`() throws {
    let server = try server("/start")
    #expect(fetch(server.url("/start")).error?.code == .redirects)
    #expect(server.asked.count == 11)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "data:,x", "javascript:1",
  ])
  func `a redirect to another scheme is refused`(location: String) throws {
    let server = try server(location)
    let fetched = fetch(server.url("/start"))
    #expect(fetched.error?.code == .badURL)
  }

  @Test func `a redirect to nowhere is refused`() throws {
    let server = try BadServer { _ in [.head("302 Found")] }
    #expect(fetch(server.url()).error?.code == .badAnswer)
  }

  // The first host has to be public, which a test's is not: a proxy stands in for it.

  @Test(arguments: [
    "http://127.0.0.1:9/", "http://localhost/", "http://10.1.2.3/", "http://[::1]/",
    "http://169.254.169.254/latest/meta-data/", "http://0x7f000001/", "http://2130706433/",
    "http://[::ffff:10.0.0.1]/", "http://[fe80::1%25eth0]/", "http://a.localhost/",
  ])
  func `a redirect to a private host is refused`(location: String) throws {
    let server = try BadServer { _ in [.head("302 Found", "Location: \(location)")] }
    let fetched = fetch("http://example.org/start") {
      $0.allowsPrivate = false
      $0.proxy = "http://127.0.0.1:\(server.port)"
    }
    #expect(fetched.error?.code == .privateAddress)
    #expect(fetched.error?.reason.contains("--allow-private") == true)
    #expect(server.asked.map(\.path) == ["http://example.org/start"])
  }

  @Test func `the very address that would be connected to is judged`() throws {
    let server = try server("/")
    let url = try RemoteURL(server.url())
    let question = Question(url: url)
    let part = try PartialFile(request(server.url()), url: url.text)
    let transfer = Transfer(
      question, into: part, limits: FetchLimits(), deadline: BootClock.now + .seconds(10)
    ) { _ in }
    let error = #expect(throws: FetchError.self) {
      try transfer.run(
        try HTTPClient(),
        HTTPRequest(
          url: url, fields: question.fields, proxy: nil, certificates: nil,
          connectTimeout: .seconds(1)), isPublicOnly: true)
    }
    #expect(error?.code == .privateAddress)
    #expect(error?.reason.hasPrefix("127.0.0.1 is not on the public internet") == true)
    #expect(server.asked.isEmpty)
  }

  @Test func `user and password are sent, and told to nobody`() throws {
    let server = try server("/elsewhere")
    let fetched = fetch(server.url("/start", user: "me:s3cret@"))
    #expect(fetched.bytes == Self.body)
    // me:s3cret in Base64; the same place again gets them again.
    let sent = Array(repeating: "Basic bWU6czNjcmV0", count: 2)
    #expect(server.asked.map { $0.fields["authorization"] } == sent)
    #expect(!"\(fetched)".contains("s3cret"))
  }

  @Test func `another host does not get them`() throws {
    let other = try server("/")
    let server = try server(other.url())
    #expect(fetch(server.url("/start", user: "me:s3cret@")).bytes == Self.body)
    #expect(server.asked.first?.fields["authorization"] != nil)
    #expect(other.asked.first.map { $0.fields["authorization"] } == .some(nil))
  }

  @Test(arguments: [
    "http://me:s3cret@", "http://me:s3cret@exa mple/", "ftp://me:s3cret@host/", "me:s3cret@host",
  ])
  func `an error does not tell the password`(url: String) {
    let fetched = fetch(url)
    #expect(fetched.error?.code == .badURL)
    #expect(!"\(fetched)".contains("s3cret"))
  }
}
