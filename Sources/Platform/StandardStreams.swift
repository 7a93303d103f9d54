import Glibc

/// Standard input, output and error.
public enum StandardStreams {
  /// Takes the numbers of those that the process was started without, so that no file that is opened
  /// later becomes one of them by its number, and is written into by whoever prints.
  ///
  /// To be called first of all. What stands in for a stream can be neither read nor written: whoever
  /// wants to use it fails with EBADF, as without it.
  ///
  /// Wraps `open`, which gives the lowest number that is free.
  public static func reserve() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      // The other way round than the stream is used.
      let mode = number == STDIN_FILENO ? O_WRONLY : O_RDONLY
      _ = unsafe open("/dev/null", mode)
    }
  }
}
