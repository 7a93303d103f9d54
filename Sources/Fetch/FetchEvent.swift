/// What a fetch process says; JSON lines on its standard output, ending with `finished`, `unchanged` or
/// `failed`.
public enum FetchEvent: Codable, Hashable, Sendable {
  /// The server sends, from a byte on, the size known or not.
  ///
  /// The file only ever grows: where the server has something else than the bytes that are there, a new
  /// file takes its name, and `offset` is 0. Whoever has the old one open sees that its link count is 0.
  /// With `validators` another request can go on from what has come until then; there are none where
  /// the server does not tell its states apart for sure.
  case began(offset: Int64, total: Int64?, validators: HTTPValidators)
  /// So many bytes are there; at most twice a second.
  case progress(received: Int64, total: Int64?)
  /// Nothing has come for so many seconds; half of what is put up with.
  case stalled(received: Int64, seconds: Double)
  /// A try failed, and the next one begins in so many seconds.
  case retrying(attempt: Int, seconds: Double, error: FetchError)
  /// All of it is there and on the disk.
  case finished(file: FetchedFile)
  /// The copy that is there is still current; there is no new file.
  case unchanged(validators: HTTPValidators)
  /// There will be no file; what came is kept for another try where that may help.
  case failed(error: FetchError)
}

/// A file that was downloaded to its end.
public struct FetchedFile: Codable, Hashable, Sendable {
  /// Where it is.
  public let path: String
  /// Its size in bytes, which is what the server announced.
  public let bytes: Int64
  /// How to ask later whether it is still current.
  public let validators: HTTPValidators
  /// The `Content-Type` field: what the server takes it for.
  public let type: String?
  /// Where redirects led to, without user and password.
  public let url: String
  /// Whether a host on the way to it is not on the public internet, which the request allowed.
  public let isPrivate: Bool
}

/// How a fetch ended well.
public enum FetchOutcome: Hashable, Sendable {
  /// With a new file.
  case finished(FetchedFile)
  /// Without one, since the copy that is there is current; with what to ask by the next time.
  case unchanged(HTTPValidators)
}
