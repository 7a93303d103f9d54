import Platform

extension MediaJob {
  /// Looks whether the output at a place is the one that this job would make there, and still whole.
  ///
  /// Reads all of it; looks at nothing in the input. ``identity`` has to be set.
  /// - Returns: What was made; nil where it has to be made.
  /// - Throws: An error of kind `cancelled` where `report` has returned false.
  public func find(
    at output: String, report: @escaping (Progress) -> Bool
  ) throws(MediaError) -> MediaResult? {
    guard let identity,
      let earlier = try EarlierOutput(at: output, like: self, of: identity, report: report),
      earlier.isMade(ofFileAt: identity.input.path)
    else { return nil }
    return earlier.result
  }

  /// Fills the staging directory from an output that was made elsewhere of the same bytes, if it is
  /// still whole: by reflinks or hard links, where the file system has them.
  ///
  /// Reads all of it; looks at nothing in the input. ``identity`` has to be set.
  /// - Returns: What was made; nil where it has to be made, and there is no staging directory then.
  /// - Throws: An error of kind `cancelled` where `report` has returned false.
  public func reuse(
    _ output: String, report: @escaping (Progress) -> Bool
  ) throws(MediaError) -> MediaResult? {
    guard let identity,
      let earlier = try EarlierOutput(at: output, like: self, of: identity, report: report),
      earlier.isNamed(forInput: stem)
    else { return nil }
    do {
      if try earlier.link(into: staging, for: self, of: identity) { return earlier.result }
    } catch {
      // Somebody removed it meanwhile, or there is no room: making it will tell.
    }
    try? Files.removeTree(staging)
    return nil
  }
}
