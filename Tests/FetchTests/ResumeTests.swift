import Fetch
import FoundationEssentials
import Glibc
import Platform
import Testing

/// Bytes of two different files never come together.
@Suite(.temporaryDirectory, .timeLimit(.minutes(1)))
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

  /// Leaves 60,000 bytes of `whole`.
  private func leavePart() throws {
    let server = try server { _ in [] }
    #expect(fetch(server.url("/a")) { $0.limits.attempts = 1 }.error?.code == .cut)
    #expect(try FileStatus(path("track.part")).size == 60_000)
    // The next server has another port; the note is to be of its URL.
    try change("track.part.json", "127.0.0.1:\(server.port)", "127.0.0.1:\(port)")
  }

  private func change(_ file: String, _ text: String, _ replacement: String) throws {
    let old = String(decoding: try Files.read(path(file)), as: UTF8.self)
      .replacing("\\/", with: "/")
    #expect(old.contains(text))
    try AtomicFile.write(old.replacing(text, with: replacement), to: path(file))
  }

  /// A server for whoever goes on with the part.
  private let next: BadServer

  private var port: UInt16 { next.port }

  init() throws {
    next = try BadServer { [whole, other] asked in
      guard asked.offset > 0 else {
        return [.head("200 OK", "Content-Length: 80000", "ETag: \"b\""), .send(other)]
      }
      return [
        .head(
          "206 Partial", "Content-Range: bytes \(asked.offset)-99999/100000",
          "Content-Length: \(100_000 - asked.offset)"),
        .send(Array(whole[asked.offset...])),
      ]
    }
  }

  @Test func `another process goes on with what is there`() throws {
    try leavePart()
    let fetched = fetch(next.url("/a"))
    #expect(fetched.bytes == whole)
    #expect(
      fetched.events.first == .began(file: path("track.part"), offset: 60_000, total: 100_000))
    #expect(try Files.list(directory) == ["track"])
  }

  @Test func `what another URL left is not gone on with`() throws {
    try leavePart()
    #expect(fetch(next.url("/b")).bytes == other)
  }

  @Test func `what was left before a restart of the machine is not gone on with`() throws {
    try leavePart()
    try change("track.part.json", try Host.bootID, "another boot")
    #expect(fetch(next.url("/a")).bytes == other)
  }

  @Test func `a note that is cut short counts as none`() throws {
    try leavePart()
    let note = try Files.read(path("track.part.json"))
    try AtomicFile.write(Array(note.dropLast(5)), to: path("track.part.json"))
    #expect(fetch(next.url("/a")).bytes == other)
  }

  @Test func `whoever reads along keeps the bytes of one file`() throws {
    try leavePart()
    let reader = try FileDescriptor.open(path("track.part"), .read)
    #expect(fetch(next.url("/b")).bytes == other)
    #expect(try reader.readToEnd() == Array(whole[..<60_000]))
    #expect(try FileStatus(descriptor: reader.rawValue).linkCount == 0)
  }

  @Test func `one process at a time fetches into a file`() throws {
    let first = try Download(request(next.url())) { _ in }
    let second = fetch(next.url())
    #expect(second.error?.code == .busy)
    _ = try first.run()
  }
}
