public import Platform

extension TrackCache {
  /// Gives a track a second name outside of the store, replacing what is there in one step.
  ///
  /// A reflink or a hard link where the file systems allow it, else a copy. A hard-linked file has
  /// mode 0444.
  ///
  /// - Returns: How the two share their bytes; nil where the track has been removed meanwhile.
  public func link(_ track: CachedTrack, to path: String) throws -> Files.LinkKind? {
    do throws(PlatformError) {
      let temporary =
        "\(Files.parent(of: path))/"
        + AudioStore.temporaryPrefix + (try AudioStore.temporaryName())
      defer { try? Files.removeFile(temporary) }
      let kind = try Files.linkOrClone(track.file.path, to: temporary)
      try Files.rename(temporary, to: path)
      return kind
    } catch {
      guard error.code == .notFound, error.subject == track.file.path else {
        throw AudioStoreError.system(error)
      }
      return nil
    }
  }

  /// Sees to it that a track stays in the store, for a job that reads it there.
  ///
  /// - Returns: nil where the track has been removed meanwhile.
  public func lease(_ track: CachedTrack) throws -> TrackLease? {
    // Within a change: nobody on this machine removes tracks between the look and the lease.
    try changing { _ in
      guard (try? FileStatus(track.file.path, followingLinks: false)) != nil else { return nil }
      return try store.makeLease(track.file)
    }
  }
}
