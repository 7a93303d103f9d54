import AudioCache
import Digests
import Glibc
import Platform

/// Does everything that can be done to a cache, in a random order, until it is killed.
///
/// `cache-churn DIRECTORY SEED`: the cache is `DIRECTORY/cache`. A byte on standard output says that it
/// has begun.
@main
struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let seed = UInt64(arguments[2]) else { exit(64) }
    var churn = Churn(directory: arguments[1], seed: seed)
    let output = FileDescriptor(owning: STDOUT_FILENO)
    try output.writeAll("!")
    while true { try churn.step() }
  }
}

/// Random steps on a cache, each of which may fail only as it may with others at the same cache.
private struct Churn {
  private let directory: String
  private let cache: TrackCache
  private var random: SplitMix
  private let seed: UInt64

  init(directory: String, seed: UInt64) {
    self.directory = directory
    self.seed = seed
    random = SplitMix(state: seed)
    cache = TrackCache(
      root: directory + "/cache", limits: CacheLimits(entries: 24, freeBytes: 0))
  }

  mutating func step() throws {
    let number = Int.random(in: 0..<40, using: &random)
    do {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: try insert(number)
      case 3...5: try download(number)
      case 6: try cache.prune(to: CacheLimits(entries: 12, freeBytes: 0))
      case 7: try cache.remove(digest(number))
      case 8: try lease(number)
      default: try link(number)
      }
    } catch AudioStoreError.inUse, AudioStoreError.claimLost {
      // Another process has it.
    }
  }

  private func insert(_ number: Int) throws {
    let path = try output(number)
    try AtomicFile.write(Self.content(number), to: path)
    try cache.insert(fileAt: path, fileExtension: "mp3", origin: origin(number))
  }

  private func download(_ number: Int) throws {
    guard case .mine(let claim) = try cache.claim(origin(number)) else { return }
    let content = Self.content(number)
    let rest = content.dropFirst(Int(claim.resumeOffset))
    let file = try FileDescriptor.open(claim.partialPath, .append)
    try file.writeAll(Array(rest.prefix(rest.count / 2)))
    try cache.renew(claim, expectedSize: Int64(content.count))
    try file.writeAll(Array(rest.dropFirst(rest.count / 2)))
    try file.close()
    _ = try cache.finish(claim, fileExtension: "mp3")
  }

  private func lease(_ number: Int) throws {
    guard let track = try cache.track(digest(number)), let lease = try cache.lease(track) else {
      return
    }
    guard try Files.read(track.file.path) == Self.content(number) else { exit(2) }
    try lease.release()
  }

  private func link(_ number: Int) throws {
    let path = try output(number)
    guard let track = try cache.track(for: origin(number)),
      try cache.link(track, to: path) != nil
    else { return }
    guard try Files.read(path) == Self.content(number) else { exit(2) }
  }

  private func output(_ number: Int) throws -> String {
    try Files.makeDirectory("\(directory)/out-\(seed)")
    return "\(directory)/out-\(seed)/\(number)"
  }

  private func origin(_ number: Int) -> Origin { .url("https://example.org/\(number)") }

  private func digest(_ number: Int) -> SHA256Digest { SHA256Digest(of: Self.content(number)) }

  /// Some kilobytes that are different for each number.
  private static func content(_ number: Int) -> [UInt8] {
    (0..<(number * 997)).map { UInt8(truncatingIfNeeded: $0 &* (number + 1)) }
  }
}

/// Sebastiano Vigna's SplitMix64.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
