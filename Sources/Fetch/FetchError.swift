/// Why a URL could not be fetched.
public struct FetchError: Error, Codable, Hashable, Sendable {
  /// What is at fault.
  public enum Code: String, Codable, Sendable {
    /// The text is no URL of the kind that is fetched.
    case badURL
    /// The host has an address that is not public.
    case privateAddress
    /// More redirects than are followed.
    case redirects
    /// The server refuses, and would again.
    case refused
    /// The server is busy or broken.
    case unavailable
    /// The host's name leads to no address.
    case name
    /// There is no connection to the host.
    case connection
    /// The host cannot prove its name.
    case certificate
    /// The connection broke before the end.
    case cut
    /// The server sends nothing, or next to nothing.
    case stalled
    /// It takes longer than it may.
    case timedOut
    /// It is larger than it may be.
    case tooLarge
    /// The answer is not what HTTP allows, or what was asked for.
    case badAnswer
    /// Another process is fetching into the same file.
    case busy
    /// The file cannot be written.
    case file
    /// The disk is full.
    case noSpace
    /// The fetch process ended without a word.
    case process
  }

  /// What trying again would do.
  public enum Kind: String, Codable, Sendable {
    /// Nothing: the URL or the server's answer is at fault.
    case permanent
    /// It may pass by itself.
    case transient
    /// Somebody has to make room first.
    case noSpace
  }

  /// What is at fault.
  public let code: Code
  /// The URL that failed, which a redirect may have led to, without user and password; empty where it
  /// has nothing to do with that.
  public let url: String
  /// What is wrong and, where there is something, what to do, on one line.
  public let reason: String
  /// How long the server asks to be left alone, in seconds.
  public let retryAfter: Double?

  /// Makes an error; `url` is shown to people and must not have a password in it.
  public init(_ code: Code, url: String, _ reason: String, retryAfter: Double? = nil) {
    self.code = code
    self.url = url
    self.reason = reason
    self.retryAfter = retryAfter
  }

  /// What trying again would do.
  public var kind: Kind {
    switch code {
    case .badURL, .privateAddress, .redirects, .refused, .certificate, .tooLarge, .badAnswer:
      .permanent
    case .unavailable, .name, .connection, .cut, .stalled, .timedOut, .busy, .file, .process:
      .transient
    case .noSpace: .noSpace
    }
  }
}

extension FetchError: CustomStringConvertible {
  /// The URL, if it has to do with one, and what is wrong.
  public var description: String { url.isEmpty ? reason : "\(url): \(reason)" }
}
