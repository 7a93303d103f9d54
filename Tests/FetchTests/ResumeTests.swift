import Fetch
import Platform
import TestServer
import TestSupport
import Testing

/// Bytes of two different files never come together.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct ResumeTests {
  private let whole = track(100_000)
  private let other = track(80_000, seed: 7)

  /// Sends the beginning of `whole`, and later what `then` says.
  private func server(
    _ fields: String = "ETag: \"a\"", then: @escaping @Sendable (Asked) -> [Step]
  ) throws -> BadServer {
    try BadServer { [whole] asked in
      guard asked.number > 1 else {
        return [.head("200 OK", "Content-Length: 100000", fields), .send(Array(whole[..<60_000]))]
      }
      return then(asked)
    }
  }

  /// All of another file.
  private var allOfOther: [Step] {
    [.head("200 OK", "Content-Length: 80000", "ETag: \"b\""), .send(other)]
  }

  @Test func `a server that sends all again begins a new file`() throws {
    let server = try server { [allOfOther] _ in allOfOther }
    #expect(fetch(server.url()).bytes == other)
  }

  @Test(arguments: [
    "Content-Range: bytes 60000-79999/80000", "Content-Range: bytes 59999-99999/100000",
    "Content-Range: bytes 60000-99999/*", "Content-Range: nonsense", "X: y",
    "Content-Range: bytes 60000-99999/100000\r\nETag: \"b\"",
  ])
  func `a part of something else is not taken`(fields: String) throws {
    let server = try server { [allOfOther] asked in
      asked.number == 2
        ? [.head("206 Partial", fields, "Content-Length: 40000"), .send(track(40_000))]
        : allOfOther
    }
    #expect(fetch(server.url()).bytes == other)
    #expect(server.asked.map { $0.fields["range"] } == [nil, "bytes=60000-", nil])
  }

  @Test func `a file that has become shorter is fetched anew`() throws {
    let server = try server { [allOfOther] asked in
      asked.number == 2
        ? [.head("416 Too far", "Content-Range: bytes */80000", "Content-Length: 0")] : allOfOther
    }
    #expect(fetch(server.url()).bytes == other)
  }

  @Test(arguments: [
    "X: nothing to recognise it by", "ETag: W/\"a\"",
    "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nDate: Sun, 06 Nov 1994 08:49:38 GMT",
  ])
  func `what cannot be recognised for sure is not gone on with`(fields: String) throws {
    let server = try server(fields) { [allOfOther] _ in allOfOther }
    #expect(fetch(server.url()).bytes == other)
    #expect(server.asked.last?.fields["range"] == nil)
  }

  @Test func `an old date recognises a file`() throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let server = try server("Last-Modified: \(date)\r\nDate: Mon, 07 Nov 1994 08:49:37 GMT") {
      [allOfOther] _ in allOfOther
    }
    #expect(fetch(server.url()).bytes == other)
    #expect(server.asked.last?.fields["if-range"] == date)
  }

  /// Leaves 60,000 bytes of `whole`, and gives what is known of them.
  private func leavePart() throws -> HTTPValidators {
    let server = try server { _ in [] }
    let fetched = fetch(server.url()) { $0.limits.attempts = 1 }
    #expect(fetched.error?.code == .cut)
    #expect(try FileStatus(path("track")).size == 60_000)
    guard case .began(0, 100_000, let validators) = fetched.events.first else {
      return HTTPValidators()
    }
    return validators
  }

  /// A server for whoever goes on with the part.
  private func next() throws -> BadServer {
    try BadServer { [whole, allOfOther] asked in
      guard asked.offset > 0 else { return allOfOther }
      return [
        .head(
          "206 Partial", "Content-Range: bytes \(asked.offset)-99999/100000",
          "Content-Length: \(100_000 - asked.offset)"),
        .send(Array(whole[asked.offset...])),
      ]
    }
  }

  @Test func `another request goes on with what is there`() throws {
    let known = try leavePart()
    #expect(known == HTTPValidators(etag: "\"a\""))
    let server = try next()
    let fetched = fetch(server.url()) { $0.resumeValidators = known }
    #expect(fetched.bytes == whole)
    #expect(fetched.events.first == .began(offset: 60_000, total: 100_000, validators: known))
    guard case .finished(let file) = fetched.outcome else { return }
    #expect(file.validators == known)
  }

  @Test func `what nothing is known of is replaced`() throws {
    _ = try leavePart()
    let server = try next()
    #expect(fetch(server.url()).bytes == other)
  }

  @Test func `all bytes without an end are asked about, not fetched again`() throws {
    try AtomicFile.write(whole, to: path("track"))
    let server = try BadServer { _ in
      [.head("416 Too far", "Content-Range: bytes */100000"), .send(Array("Too far".utf8))]
    }
    let fetched = fetch(server.url()) { $0.resumeValidators = HTTPValidators(etag: "\"a\"") }
    #expect(fetched.bytes == whole)
    #expect(server.asked.map(\.offset) == [100_000])
  }

  @Test func `whoever reads along keeps the bytes of one file`() throws {
    _ = try leavePart()
    let reader = try FileDescriptor.open(path("track"), .read)
    let server = try next()
    #expect(fetch(server.url()).bytes == other)
    #expect(try reader.readToEnd() == Array(whole[..<60_000]))
    #expect(try FileStatus(descriptor: reader.rawValue).linkCount == 0)
  }

  @Test func `one process at a time fetches into a file`() throws {
    let server = try next()
    let first = try Fetcher(request(server.url())) { _ in }
    #expect(fetch(server.url()).error?.code == .busy)
    _ = try first.run()
  }
}
