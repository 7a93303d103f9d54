import Fetch
import Platform
import TestServer
import TestSupport
import Testing

/// A cut connection or a wrong length is never taken for the end.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct LengthTests {
  private let whole = track(100_000)

  @Test func `a file comes byte for byte, with what the server calls it`() throws {
    let server = try BadServer { [whole] _ in
      [
        .head("200 OK", "Content-Length: 100000", "ETag: \"a\"", "Content-Type: audio/mpeg"),
        .send(whole),
      ]
    }
    let fetched = fetch(server.url())
    #expect(fetched.bytes == whole)
    guard case .finished(let file) = fetched.outcome else { return }
    #expect(file.bytes == 100_000)
    #expect(file.validators == HTTPValidators(etag: "\"a\"", lastModified: nil))
    #expect(file.type == "audio/mpeg")
    let validators = HTTPValidators(etag: "\"a\"")
    #expect(fetched.events.first == .began(offset: 0, total: 100_000, validators: validators))
    #expect(try Files.list(directory) == ["track"])
  }

  @Test func `a cut connection is gone on with from where it broke`() throws {
    let server = try BadServer { [whole] asked in
      guard asked.number > 1 else {
        return [
          .head("200 OK", "Content-Length: 100000", "ETag: \"a\""), .send(Array(whole[..<60_000])),
        ]
      }
      return [
        .head("206 Partial", "Content-Range: bytes 60000-99999/100000", "Content-Length: 40000"),
        .send(Array(whole[60_000...])),
      ]
    }
    let fetched = fetch(server.url())
    #expect(fetched.bytes == whole)
    #expect(fetched.retries.map(\.code) == [.cut])
    #expect(server.asked.last?.fields["range"] == "bytes=60000-")
    #expect(server.asked.last?.fields["if-range"] == "\"a\"")
  }

  @Test func `a connection that is reset is gone on with`() throws {
    let server = try BadServer { [whole] asked in
      guard asked.number > 1 else {
        return [
          .head("200 OK", "Content-Length: 100000", "ETag: \"a\""), .send(Array(whole[..<60_000])),
          .reset,
        ]
      }
      return [
        .head(
          "206 Partial", "Content-Range: bytes \(asked.offset)-99999/100000",
          "Content-Length: \(100_000 - asked.offset)"),
        .send(Array(whole[asked.offset...])),
      ]
    }
    #expect(fetch(server.url()).bytes == whole)
  }

  @Test func `chunks without the last one are no file`() throws {
    let server = try BadServer { [whole] asked in
      guard asked.number > 1 else {
        return [
          .head("200 OK", "Transfer-Encoding: chunked", "ETag: \"a\""), .chunk(whole.dropLast(1)),
        ]
      }
      return [
        .head("206 Partial", "Content-Range: bytes 99999-99999/100000", "Content-Length: 1"),
        .send([whole[99_999]]),
      ]
    }
    let fetched = fetch(server.url())
    #expect(fetched.retries.map(\.code) == [.cut])
    #expect(fetched.bytes == whole)
  }

  @Test func `chunks with the last one are a file`() throws {
    let server = try BadServer { [whole] _ in
      [.head("200 OK", "Transfer-Encoding: chunked"), .chunk(whole), .chunk([])]
    }
    #expect(fetch(server.url()).bytes == whole)
  }

  @Test func `a length that is too long ends in no file`() throws {
    let server = try BadServer { [whole] asked in
      guard asked.offset > 0 else {
        return [.head("200 OK", "Content-Length: 100001", "ETag: \"a\""), .send(whole)]
      }
      return [
        .head("206 Partial", "Content-Range: bytes 100000-100000/100001", "Content-Length: 1")
      ]
    }
    let fetched = fetch(server.url())
    #expect(fetched.error?.code == .cut)
    #expect(fetched.error?.kind == .transient)
    #expect(server.asked.count == 5)
  }

  @Test func `a length that is too short ends in no file`() throws {
    let server = try BadServer { [whole] _ in
      [.head("200 OK", "Content-Length: 99999"), .send(whole)]
    }
    let fetched = fetch(server.url())
    #expect(fetched.error?.code == .badAnswer)
    #expect(fetched.error?.reason.contains("more than the 99999 bytes") == true)
    #expect(try isEmpty())
  }

  @Test(arguments: ["Content-Type: audio/mpeg", "Content-Length: x", "Content-Length: 1, 2"])
  func `an answer without a length is refused`(field: String) throws {
    let server = try BadServer { [whole] _ in [.head("200 OK", field), .send(whole)] }
    #expect(fetch(server.url()).error?.code == .badAnswer)
  }

  @Test func `a server that does not close is not waited for long`() throws {
    let server = try BadServer { [whole] _ in
      [.head("200 OK", "Content-Length: 100000"), .send(whole), .wait]
    }
    #expect(fetch(server.url()).bytes == whole)
  }

  @Test func `an empty file is a file`() throws {
    let server = try BadServer { _ in [.head("200 OK", "Content-Length: 0")] }
    #expect(fetch(server.url()).bytes == [])
  }

  @Test func `a part that ends early is followed by the next`() throws {
    let server = try BadServer { [whole] asked in
      guard asked.number > 1 else {
        return [
          .head("200 OK", "Content-Length: 100000", "ETag: \"a\""), .send(Array(whole[..<50_000])),
        ]
      }
      let end = min(asked.offset + 20_000, 100_000)
      return [
        .head(
          "206 Partial", "Content-Range: bytes \(asked.offset)-\(end - 1)/100000",
          "Content-Length: \(end - asked.offset)"),
        .send(Array(whole[asked.offset..<end])),
      ]
    }
    #expect(fetch(server.url()).bytes == whole)
    #expect(server.asked.map(\.offset) == [0, 50_000, 70_000, 90_000])
  }
}
