import Fetch
import Platform
import TestSupport
import Testing

/// Bytes that tell their place.
func track(_ count: Int, seed: Int = 1) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761 &* seed) >> 7) }
}

/// What a fetch came to, and what was told on the way.
struct Fetched {
  var outcome: FetchOutcome?
  var error: FetchError?
  var events: [FetchEvent] = []

  /// The file's bytes.
  var bytes: [UInt8]? {
    guard case .finished(let file) = outcome else { return nil }
    return try? Files.read(file.path)
  }

  /// The errors of the tries that were not the last.
  var retries: [FetchError] {
    events.compactMap { if case .retrying(_, _, let error) = $0 { error } else { nil } }
  }
}

/// A request with little patience, into the test's directory.
func request(_ url: String, _ change: (inout FetchRequest) -> Void = { _ in }) -> FetchRequest {
  var request = FetchRequest(url: url, path: path("track"))
  request.allowsPrivate = true
  request.limits.firstDelay = .milliseconds(1)
  request.limits.longestDelay = .milliseconds(20)
  change(&request)
  return request
}

/// Fetches in this process.
func fetch(_ url: String, _ change: (inout FetchRequest) -> Void = { _ in }) -> Fetched {
  final class Events { var all: [FetchEvent] = [] }
  let events = Events()
  var fetched = Fetched()
  do throws(FetchError) {
    let download = try Fetcher(request(url, change)) { events.all.append($0) }
    fetched.outcome = try download.run()
  } catch {
    fetched.error = error
  }
  fetched.events = events.all
  return fetched
}

/// Whether the directory holds nothing of a download.
func isEmpty() throws -> Bool { try Files.list(directory).isEmpty }
