/// What an answer's head means for what was asked.
enum Answer: Hashable, Sendable {
  /// Ask there instead; the text of the `Location` field.
  case redirect(String)
  /// The copy that is there is current.
  case unchanged(HTTPValidators)
  /// Everything follows, from the first byte.
  case whole(Representation)
  /// What was missing follows, or the beginning of it, up to a byte; nothing where none was missing.
  case rest(upTo: Int64, Representation)
  /// The bytes that are there are not the beginning of what the server has: ask for everything.
  case otherContent
}

/// One state of a resource, as a server announces it.
struct Representation: Hashable, Sendable {
  /// What the server calls it.
  var validators: HTTPValidators
  /// Those of them of which equal means equal byte for byte.
  var resumeValidators: HTTPValidators
  /// The size in bytes, where it is known.
  var total: Int64?
  /// The `Content-Type` field.
  var type: String?
}

extension Question {
  /// What an answer's head means.
  /// - Throws: what a person is to know of an answer that brings no bytes.
  func answer(_ head: ResponseHead) throws(FetchError) -> Answer {
    switch head.status {
    case 200: return .whole(try representation(head))
    case 206: return try rest(head)
    case 301, 302, 303, 307, 308:
      guard let location = head["location"] else { throw bad("redirects to nowhere") }
      return .redirect(location)
    case 304:
      guard isConditional else { throw bad("sends nothing, and calls that current (304)") }
      return .unchanged(head.validators)
    case 416 where offset > 0: return try nothingMore(head)
    default: throw refusal(head)
    }
  }

  private func representation(_ head: ResponseHead) throws(FetchError) -> Representation {
    try checkCodings(head)
    var representation = Representation(
      validators: head.validators, resumeValidators: head.strongValidators,
      type: head["content-type"])
    if head.isChunked { return representation }
    switch head.contentLength {
    case .value(let length): representation.total = length
    case .nonsense: throw bad("announces no length that makes sense")
    case .nothing:
      throw bad("does not tell the length, so that nobody could tell a cut from the end")
    }
    return representation
  }

  private func rest(_ head: ResponseHead) throws(FetchError) -> Answer {
    guard offset > 0, let kept else { throw bad("sends a part where all was asked for") }
    try checkCodings(head)
    guard case .value(let range) = head.contentRange, range.first == offset,
      let total = range.total, isStill(kept, head, total)
    else { return .otherContent }
    if !head.isChunked, head.contentLength != .value(range.end - range.first) {
      throw bad("announces a part of one length and bytes of another")
    }
    return .rest(upTo: range.end, known(kept, head, total))
  }

  /// The server has nothing from `offset` on: all is there already, if that is where its file ends.
  ///
  /// It judges `If-Range` first, and would send everything if the file were another one (RFC 9110,
  /// section 13.2.2).
  private func nothingMore(_ head: ResponseHead) throws(FetchError) -> Answer {
    guard let kept, head["content-range"] == "bytes */\(offset)", isStill(kept, head, offset) else {
      return .otherContent
    }
    return .rest(upTo: offset, known(kept, head, offset))
  }

  /// Whether an answer speaks of what is there, as far as it says.
  private func isStill(_ kept: Representation, _ head: ResponseHead, _ total: Int64) -> Bool {
    (kept.total ?? total) == total
      && (head["etag"] == nil || head["etag"] == kept.validators.etag ?? head["etag"])
  }

  /// What is known of it by now; an answer with a part may leave out what was said before.
  private func known(
    _ kept: Representation, _ head: ResponseHead, _ total: Int64
  ) -> Representation {
    Representation(
      validators: HTTPValidators(
        etag: kept.validators.etag ?? head["etag"],
        lastModified: kept.validators.lastModified ?? head["last-modified"]),
      resumeValidators: kept.resumeValidators, total: total,
      type: kept.type ?? head["content-type"])
  }

  private func checkCodings(_ head: ResponseHead) throws(FetchError) {
    if let coding = head.contentCoding {
      throw bad("sends \(coding) where the bytes as they are were asked for")
    }
    if let coding = head.transferCoding, coding != "chunked" {
      throw bad("sends in the transfer coding \(coding), which nobody asked for")
    }
  }

  /// An answer that is no file.
  private func refusal(_ head: ResponseHead) -> FetchError {
    let status = head.status
    switch status {
    case 408, 429, 500...599:
      let wait = head["retry-after"].flatMap { HTTPDate.delay($0, now: HTTPDate.now) }
      let reason = status == 429 ? "wants fewer requests" : "cannot answer now"
      return FetchError(
        .unavailable, url: url.text, "the server \(reason) (\(status))", retryAfter: wait)
    case 401, 407: return refused("wants a user and a password", status)
    case 403, 451: return refused("does not give this away", status)
    case 404, 410: return refused("has no such file", status)
    case 300..<500: return refused("refuses", status)
    default: return bad("answers with status \(status)")
    }
  }

  private func refused(_ reason: String, _ status: Int) -> FetchError {
    FetchError(.refused, url: url.text, "the server \(reason) (\(status))")
  }

  private func bad(_ reason: String) -> FetchError {
    FetchError(.badAnswer, url: url.text, "the server \(reason)")
  }
}
