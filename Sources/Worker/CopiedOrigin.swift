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
  func origin(of digest: SHA256Digest) -> Origin? {
    guard let number, let input = inputSHA256.flatMap(SHA256Digest.init(hex:)), input != digest
    else { return nil }
    return .copy(ofTrack: number, of: input)
  }
}
