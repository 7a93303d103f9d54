/// How long to wait before the next try.
struct Backoff {
  let limits: FetchLimits

  /// The wait after so many failures in a row, from 1.
  ///
  /// Doubles each time up to the longest, and at least half of it counts: the other half is left to
  /// chance, so that those who failed together do not come again together. What the server asks for
  /// counts where it is longer, and not beyond the longest. `retryAfter` is in seconds, `chance` from 0
  /// to 1.
  func delay(afterFailures failures: Int, retryAfter: Double?, chance: Double) -> Duration {
    let doubled = limits.firstDelay * Double(1 << min(max(failures - 1, 0), 20))
    let bounded = min(doubled, limits.longestDelay)
    let ours = bounded * (0.5 + 0.5 * chance)
    // A server may name any number; more than a century is no duration.
    let asked = retryAfter.map { Duration.seconds(min($0, 1e9)) } ?? .zero
    return min(max(ours, asked), limits.longestDelay)
  }
}
