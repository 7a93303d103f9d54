import AudioCache
import Digests
import Foundation
import Platform

/// The measurements that the cache's bars are about.
struct CacheBench {
  let directory: String
  /// How many entries the large cache has.
  let entries: Int

  /// How many entries are pruned.
  ///
  /// They lie all over the index, were used least recently, and have files; the others have none.
  private static let pruned = 10_000
  private static let lookups = 2_000

  func run() throws -> [Row] {
    let hit = try measureHit()
    let (root, filling) = try fill()
    return [hit, filling] + (try measureLookups(root)) + [try measurePrune(root)]
  }

  /// A track of 10 MB, from its URL to a file of the caller's.
  private func measureHit() throws -> Row {
    let cache = TrackCache(root: directory + "/hit")
    let file = directory + "/track.mp3"
    try AtomicFile.write([UInt8](repeating: 7, count: 10_000_000), to: file)
    let origin = Origin.url("https://example.org/track.mp3")
    try cache.insert(copyOf: file, fileExtension: "mp3", origin: origin)
    let output = directory + "/out.mp3"
    var sharing: Files.LinkKind?
    let seconds = try best(of: 20) {
      try cpuSeconds {
        let track = try cache.track(for: origin)
        sharing = try track.flatMap { try cache.link($0, to: output) }
      }
    }
    guard sharing == .hardLink || sharing == .reflink else { throw CacheBenchError("no link") }
    return Row(
      what: "a hit of a 10 MB track, linked, CPU", value: seconds * 1000, unit: "ms", bar: 2)
  }

  /// An index of as many entries as are asked for.
  private func fill() throws -> (root: String, memory: Row) {
    let root = directory + "/large"
    let cache = TrackCache(root: root, limits: CacheLimits(freeBytes: 0))
    let empty = try ownMemory()
    let pattern = directory + "/tiny"
    try AtomicFile.write("tiny", to: pattern)
    var next = 0
    while next < entries {
      let numbers = next..<min(next + 50_000, entries)
      try cache.addEntries(
        numbers.lazy.map { number in
          CacheEntrySeed(
            digest: digest(number), fileExtension: "mp3", size: 4, origin: origin(number),
            usedAtMS: Int64(isPruned(number) ? number : entries + number) * 1000)
        })
      for number in numbers where isPruned(number) {
        let hex = digest(number).hex
        try Files.makeDirectory("\(root)/\(hex.prefix(2))")
        _ = try Files.linkOrClone(pattern, to: "\(root)/\(hex.prefix(2))/\(hex).mp3")
      }
      next = numbers.upperBound
    }
    let memory = try ownMemory() - empty
    return (
      root,
      Row(
        what: "memory that filling an index of \(entries) took", value: memory, unit: "MB", bar: 40)
    )
  }

  /// Entries all over the index, none of them asked for before; and one again and again.
  private func measureLookups(_ root: String) throws -> [Row] {
    let cache = TrackCache(root: root, limits: CacheLimits(freeBytes: 0))
    let before = try ownMemory()
    var found = 0
    let cold = try best(of: 5) {
      let cache = TrackCache(root: root, limits: CacheLimits(freeBytes: 0))
      return try cpuSeconds(Self.lookups) {
        for number in 0..<Self.lookups {
          // Of those that have files, so that each lookup ends with a look at one.
          let number = number * (Self.pruned / Self.lookups) * spacing
          if try cache.track(for: origin(number)) != nil { found += 1 }
        }
      }
    }
    guard found == 5 * Self.lookups else { throw CacheBenchError("\(found) found") }
    let missing = try best(of: 5) {
      try cpuSeconds(Self.lookups) {
        for number in 0..<Self.lookups { _ = try cache.track(for: origin(-1 - number)) }
      }
    }
    let hot = try best(of: 5) {
      try cpuSeconds(Self.lookups) {
        for _ in 0..<Self.lookups { _ = try cache.track(for: origin(0)) }
      }
    }
    let memory = try ownMemory() - before
    let among = "among \(entries), CPU"
    return [
      Row(what: "lookup by URL \(among)", value: cold * 1e6, unit: "µs", bar: 100),
      Row(what: "lookup of what is not there \(among)", value: missing * 1e6, unit: "µs", bar: 100),
      Row(what: "lookup once more \(among)", value: hot * 1e6, unit: "µs", bar: 100),
      Row(what: "memory that these took", value: memory, unit: "MB", bar: 40),
    ]
  }

  private func measurePrune(_ root: String) throws -> Row {
    let cache = TrackCache(root: root, limits: CacheLimits(freeBytes: 0))
    let seconds = try cpuSeconds {
      let report = try cache.prune(
        to: CacheLimits(entries: entries - Self.pruned, freeBytes: 0))
      guard report.evicted == Self.pruned else {
        throw CacheBenchError("\(report.evicted) pruned")
      }
    }
    return Row(
      what: "prune of \(Self.pruned) among \(entries), CPU", value: seconds, unit: "s", bar: 1)
  }

  /// How far from one another the entries are that are pruned.
  private var spacing: Int { entries / Self.pruned }

  private func isPruned(_ number: Int) -> Bool {
    number % spacing == 0 && number / spacing < Self.pruned
  }

  private func digest(_ number: Int) -> SHA256Digest { SHA256Digest(of: "track \(number)") }

  private func origin(_ number: Int) -> Origin {
    .url("https://media.example.org/albums/\(number / 12)/tracks/\(number).mp3")
  }
}

/// A measurement that did not come about.
struct CacheBenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
