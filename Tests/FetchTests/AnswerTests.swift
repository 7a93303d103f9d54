import Fetch
import Glibc
import Platform
import TestServer
import TestSupport
import Testing

/// Answers that are no file, and when to ask again.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct AnswerTests {
  private static let body = track(1000)
  private static let whole: [Step] = [.head("200 OK", "Content-Length: 1000"), .send(body)]

  @Test(arguments: ["503 Busy", "429 Slow down", "500 Oh", "408 Late"])
  func `a server that is busy is asked again`(status: String) throws {
    let server = try BadServer { $0.number < 3 ? [.head(status, "Content-Length: 0")] : Self.whole }
    let fetched = fetch(server.url())
    #expect(fetched.bytes == Self.body)
    #expect(fetched.retries.map(\.code) == [.unavailable, .unavailable])
  }

  @Test(arguments: ["100", "Fri, 31 Dec 2100 23:59:59 GMT"])
  func `who asks for a longer time than a try waits is not asked again before it`(
    time: String
  ) throws {
    let server = try BadServer { _ in [.head("503 Busy", "Retry-After: \(time)")] }
    let fetched = fetch(server.url())
    #expect(fetched.error?.code == .unavailable)
    #expect(fetched.error?.kind == .transient)
    #expect((fetched.error?.retryAfter ?? 0) >= 100)
    #expect(server.asked.count == 1)
  }

  @Test func `patience ends after so many tries`() throws {
    let server = try BadServer { _ in [.head("503 Busy")] }
    let fetched = fetch(server.url())
    #expect(fetched.error?.code == .unavailable)
    #expect(fetched.error?.kind == .transient)
    #expect(server.asked.count == 5)
  }

  @Test(arguments: ["404 None", "403 No", "401 Who", "410 Gone", "400 What"])
  func `a refusal is for good`(status: String) throws {
    let server = try BadServer { _ in [.head(status, "Content-Length: 0")] }
    let fetched = fetch(server.url())
    #expect(fetched.error?.code == .refused)
    #expect(fetched.error?.kind == .permanent)
    #expect(fetched.error?.reason.contains(String(status.prefix(3))) == true)
    #expect(server.asked.count == 1)
    #expect(try isEmpty())
  }

  @Test(arguments: ["Content-Encoding: gzip", "Transfer-Encoding: gzip, chunked"])
  func `bytes that are packed are refused`(field: String) throws {
    let server = try BadServer { _ in
      [.head("200 OK", field, "Content-Length: 1000"), .send(Self.body)]
    }
    #expect(fetch(server.url()).error?.code == .badAnswer)
    #expect(server.asked.first?.fields["accept-encoding"] == "identity")
  }

  @Test func `what comes before the answer is passed over`() throws {
    let server = try BadServer { _ in
      [.head("103 Early Hints", "Link: x", "Content-Length: 5")] + Self.whole
    }
    #expect(fetch(server.url()).bytes == Self.body)
  }

  @Test(arguments: ["204 Nothing", "206 Partial", "304 Same", "999 What"])
  func `an answer to another question is refused`(status: String) throws {
    let server = try BadServer { _ in [.head(status, "Content-Range: bytes 0-9/10")] }
    #expect(fetch(server.url()).error?.code == .badAnswer)
  }

  @Test func `what does not speak HTTP is refused`() throws {
    let server = try BadServer { _ in [.send(Array("220 mail.example.org ESMTP\r\n\r\n".utf8))] }
    #expect(fetch(server.url()).error?.code == .badAnswer)
  }

  @Test func `a head without an end is refused`() throws {
    let line = Array(("X: " + String(repeating: "x", count: 60_000) + "\r\n").utf8)
    let server = try BadServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\n".utf8))] + Array(repeating: .send(line), count: 10)
    }
    #expect(fetch(server.url()).error?.kind == .permanent)
  }

  @Test func `a copy that is current is not fetched`() throws {
    let server = try BadServer { asked in
      asked.fields["if-none-match"] == "\"a\"" ? [.head("304 Same", "ETag: \"a\"")] : Self.whole
    }
    let kept = HTTPValidators(etag: "\"a\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
    let fetched = fetch(server.url()) { $0.validators = kept }
    #expect(fetched.outcome == .unchanged(kept))
    #expect(try isEmpty())
    #expect(server.asked.first?.fields["if-modified-since"] == kept.lastModified)
    let changed = fetch(server.url()) {
      $0.validators = HTTPValidators(etag: "\"b\"", lastModified: nil)
    }
    #expect(changed.bytes == Self.body)
  }

  @Test func `a name that leads nowhere is looked up again`() {
    let fetched = fetch("http://name.invalid/") { $0.limits.attempts = 3 }
    #expect(fetched.error?.code == .name)
    #expect(fetched.retries.map(\.code) == [.name, .name])
  }

  @Test func `a host that does not answer the knock is asked again`() throws {
    let port = try ListeningSocket()
    close(port.number)
    let fetched = fetch("http://127.0.0.1:\(port.port)/")
    #expect(fetched.error?.code == .connection)
    #expect(fetched.retries.count == 4)
  }
}
