/// What was asked for.
struct Question: Sendable {
  /// The URL of this hop.
  let url: RemoteURL
  /// How many bytes are there already; above 0 only with `kept`.
  var offset: Int64 = 0
  /// What the bytes that are there belong to.
  var kept: Representation?
  /// What the caller has.
  var validators: Validators?

  /// Whether all bytes are there, and only their being current is in question.
  var isComplete: Bool { kept != nil && kept?.total == offset }

  /// The fields of the request.
  ///
  /// No coding of the content: the bytes are to be the file's, and to be counted. The connection is
  /// closed after the answer, which then has an end even where its announced length is wrong.
  var fields: [String] {
    ["Accept: */*", "Accept-Encoding: identity", "Connection: close"] + range + conditions
  }

  /// Whether the answer may be that nothing has changed.
  var isConditional: Bool { !conditions.isEmpty }

  private var range: [String] {
    guard !isComplete, offset > 0, let validator = kept?.strongValidator else { return [] }
    return ["Range: bytes=\(offset)-", "If-Range: \(validator)"]
  }

  private var conditions: [String] {
    guard let validators = isComplete ? kept?.validators : validators, range.isEmpty else {
      return []
    }
    return [
      validators.etag.map { "If-None-Match: \($0)" },
      validators.lastModified.map { "If-Modified-Since: \($0)" },
    ].compactMap(\.self)
  }
}
