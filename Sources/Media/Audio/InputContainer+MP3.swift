import FFmpeg

extension InputContainer {
  /// Formats that have no header to be known by: FFmpeg takes much that is none of them for one.
  private static let headerless: Set = ["amrnb", "amrwb"]
  /// How much FFmpeg's demuxer of MP3 passes over before the first frame, in bytes.
  private static let passedOver = 64 << 10

  /// Opens a file; an MP3 track is found also behind so much of something else that FFmpeg takes the
  /// whole file for that, or the beginning for sound, and within what tags say is theirs.
  static func open(_ path: String) throws(FFmpegError) -> InputContainer {
    let container: InputContainer
    do throws(FFmpegError) {
      container = try InputContainer(path: path)
    } catch {
      guard error.code == .invalidData, let start = beginning(of: path), start.isTagWrong else {
        throw error
      }
      return try InputContainer(path: path, beginning: start.input)
    }
    guard container.formatName == "mp3" || headerless.contains(container.formatName),
      let start = beginning(of: path), !start.isFreeFormat,
      container.formatName != "mp3" || start.junk.count > passedOver || start.isTagWrong
    else { return container }
    return try InputContainer(path: path, beginning: start.input)
  }

  private static func beginning(of path: String) -> MP3Beginning? {
    try? MP3Beginning(ofFileAt: path, frames: MP3Beginning.certainFrames)
  }
}

extension MP3Beginning {
  /// Where FFmpeg is to begin.
  fileprivate var input: InputBeginning { InputBeginning(formatName: "mp3", offset: firstFrame) }
}

extension MediaError {
  /// Why a file could not be opened, which FFmpeg does not say of a kind of MP3 that it cannot decode.
  init(opening input: String, _ error: FFmpegError) {
    let found = error.code == .invalidData ? try? MP3Beginning(ofFileAt: input, frames: 3) : nil
    guard let found, found.isFreeFormat else {
      self.init(error, input: input)
      return
    }
    self.init(
      .input, input,
      "is an MP3 of a free format (its frames tell no bit rate), which FFmpeg cannot decode; "
        + "make a WAV file of it first, with `lame --decode`")
  }
}
