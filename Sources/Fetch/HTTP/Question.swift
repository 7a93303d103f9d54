/// What was asked for.
struct Question: Sendable {
  /// The URL of this hop.
  let url: RemoteURL
  /// How many bytes are there already; above 0 only with `kept`, and what to recognise them by.
  var offset: Int64 = 0
  /// What the bytes that are there belong to.
  var kept: Representation?
  /// What the caller has.
  var validators: HTTPValidators?

  /// The fields of the request.
  ///
  /// No coding of the content: the bytes are to be the file's, and to be counted. The connection is
  /// closed after the answer, which then has an end even where its announced length is wrong.
  var fields: [String] {
    ["Accept: */*", "Accept-Encoding: identity", "Connection: close"]
      + (range.isEmpty ? conditions : range)
  }

  /// Whether the answer may be that nothing has changed.
  var isConditional: Bool { range.isEmpty && !conditions.isEmpty }

  private var range: [String] {
    guard offset > 0, let known = kept?.resumeValidators,
      let validator = known.etag ?? known.lastModified
    else { return [] }
    return ["Range: bytes=\(offset)-", "If-Range: \(validator)"]
  }

  private var conditions: [String] {
    [
      validators?.etag.map { "If-None-Match: \($0)" },
      validators?.lastModified.map { "If-Modified-Since: \($0)" },
    ].compactMap(\.self)
  }
}
