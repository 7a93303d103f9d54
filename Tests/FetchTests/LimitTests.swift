import Fetch
import Platform
import TestServer
import TestSupport
import Testing

/// Time, size and speed.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct LimitTests {
  private static let body = track(1000)

  @Test func `a server that falls silent is told of, then left`() throws {
    let server = try BadServer { asked in
      guard asked.number > 1 else {
        return [
          .head("200 OK", "Content-Length: 1000", "ETag: \"a\""), .send(Array(Self.body[..<600])),
          .wait,
        ]
      }
      return [
        .head("206 Partial", "Content-Range: bytes 600-999/1000", "Content-Length: 400"),
        .send(Array(Self.body[600...])),
      ]
    }
    let fetched = fetch(server.url()) { $0.limits.stall = .milliseconds(200) }
    #expect(fetched.bytes == Self.body)
    #expect(fetched.retries.map(\.code) == [.stalled])
    let pauses = fetched.events.filter { if case .stalled(600, _) = $0 { true } else { false } }
    #expect(pauses.count == 1)
  }

  @Test func `a server that does not answer at all is left`() throws {
    let server = try BadServer { _ in [.wait] }
    let fetched = fetch(server.url()) {
      $0.limits.stall = .milliseconds(100)
      $0.limits.attempts = 2
    }
    #expect(fetched.error?.code == .stalled)
    #expect(server.asked.count == 2)
  }

  @Test func `bytes that drip count as a stall`() throws {
    let server = try BadServer { _ in
      [.head("200 OK", "Content-Length: 1000"), .drip(everyMS: 10)]
    }
    let fetched = fetch(server.url()) {
      $0.limits.stall = .milliseconds(300)
      $0.limits.minSpeed = 10_000
      $0.limits.attempts = 1
    }
    #expect(fetched.error?.code == .stalled)
  }

  @Test func `all of it together has its time`() throws {
    let server = try BadServer { _ in
      [.head("200 OK", "Content-Length: 100000", "ETag: \"a\""), .drip(everyMS: 10)]
    }
    let fetched = fetch(server.url()) {
      $0.limits.total = .milliseconds(300)
      $0.limits.minSpeed = 1
    }
    #expect(fetched.error?.code == .timedOut)
    #expect(fetched.error?.kind == .transient)
  }

  @Test func `a wait that is longer than the time left is not begun`() throws {
    let server = try BadServer { _ in [.head("503 Busy", "Retry-After: 60")] }
    let bounded = fetch(server.url()) {
      $0.limits.longestDelay = .seconds(7200)
      $0.limits.total = .seconds(30)
    }
    #expect(bounded.error?.code == .unavailable)
    #expect(bounded.error?.retryAfter == 60)
  }

  @Test func `a file that is announced as too large is not begun`() throws {
    let server = try BadServer { _ in
      [.head("200 OK", "Content-Length: 1000"), .send(Self.body)]
    }
    let fetched = fetch(server.url()) { $0.limits.maxBytes = 999 }
    #expect(fetched.error?.code == .tooLarge)
    #expect(fetched.events.isEmpty)
    #expect(fetch(server.url()) { $0.limits.maxBytes = 1000 }.bytes == Self.body)
  }

  @Test func `a file that turns out to be too large is left`() throws {
    let server = try BadServer { _ in
      [.head("200 OK", "Transfer-Encoding: chunked"), .chunk(Self.body), .chunk(Self.body), .wait]
    }
    let fetched = fetch(server.url()) { $0.limits.maxBytes = 1999 }
    #expect(fetched.error?.code == .tooLarge)
    #expect(try isEmpty())
  }
}
