public import Digests
import Platform

/// What checking a store against its names found.
public struct Verification: Hashable, Sendable {
  /// Something in the store that should not be.
  public struct Fault: Hashable, Sendable {
    /// Where it is.
    public let path: String
    /// What is wrong with it.
    public let kind: Kind
  }

  /// The ways a file of the store can be wrong.
  public enum Kind: Hashable, Sendable {
    /// Its bytes are not those of its name: the disk, or someone, has changed them.
    case wrongContent(actual: SHA256Digest)
    /// It cannot be read.
    case unreadable(AudioStoreError)
    /// It is no track, or does not belong where it is.
    case misplaced
  }

  /// How many tracks were read.
  public internal(set) var trackCount = 0

  /// How many bytes they have together.
  public internal(set) var byteCount: Int64 = 0

  /// What is wrong, in the order of the paths.
  public internal(set) var faults: [Fault] = []

  /// Whether nothing is wrong.
  public var isClean: Bool { faults.isEmpty }
}

extension AudioStore {
  /// Reads every track and compares its SHA-256 with its name.
  ///
  /// Changes nothing. Takes as long as reading the whole store does. Tracks that others remove meanwhile
  /// are no fault.
  public func verify() throws(AudioStoreError) -> Verification {
    var result = Verification()
    for shard in try shards() { try verify(shard: shard, &result) }
    return result
  }

  /// Does the same with one shard.
  func verify(shard: String, _ result: inout Verification) throws(AudioStoreError) {
    for name in try names(in: shard).sorted() {
      guard let track = try track(named: name, in: shard) else {
        let path = shard + "/" + name
        if exists(path) { result.faults.append(Verification.Fault(path: path, kind: .misplaced)) }
        continue
      }
      result.trackCount += 1
      result.byteCount += track.size
      if let kind = fault(of: track) {
        result.faults.append(Verification.Fault(path: track.path, kind: kind))
      }
    }
  }

  private func fault(of track: StoredTrack) -> Verification.Kind? {
    do throws(AudioStoreError) {
      let actual = try contentDigest(ofFileAt: track.path)
      return actual == track.digest ? nil : .wrongContent(actual: actual)
    } catch {
      return exists(track.path) ? .unreadable(error) : nil
    }
  }

  private func exists(_ path: String) -> Bool {
    (try? FileStatus(path, followingLinks: false)) != nil
  }
}
