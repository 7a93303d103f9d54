/// How long the queue keeps what is over.
public struct Retention: Hashable, Sendable {
  /// Jobs after they have ended; nil for ever.
  public var jobs: Duration? = .seconds(30 * 86_400)
  /// Of completed jobs what their outputs' manifests tell too (the result document), and the log and
  /// the events of those that went straight through; nil as long as the job.
  public var details: Duration? = .seconds(7 * 86_400)
  /// Which requests were answered, after their jobs have gone: so long a file that still lies in a
  /// watched directory is not submitted again; nil for ever.
  public var requests: Duration? = .seconds(365 * 86_400)

  /// The usual times: 30 days, 7 days, a year.
  public init() {}
}

/// What a sweep of the retention removed.
public struct PruneReport: Hashable, Sendable {
  /// Jobs with all that was known of them.
  public var jobs = 0
  /// Jobs whose details were removed.
  public var compacted = 0
  /// Answered requests.
  public var requests = 0
}
