public import AudioCache
public import Digests

extension Origin {
  /// A track of a file, as it is, by the file's content and the track's number from 1.
  public static func copy(ofTrack number: Int, of input: SHA256Digest) -> Origin {
    .derived(from: input, settings: "copy track=\(number)")
  }
}

extension JobResult.Track {
  /// What it is the copy of; nil where that is not known, or is a file that is nothing but the track.
  ///
  /// `digest` is the track's, `input` that of what it was copied out of. Neither may be what a process
  /// said after it had read the input: whoever made the input could let a track of theirs be found as
  /// that of another file.
  func origin(of digest: SHA256Digest, copiedFrom input: SHA256Digest?) -> Origin? {
    guard let number, let input, input != digest else { return nil }
    return .copy(ofTrack: number, of: input)
  }
}
