import FFmpeg

/// The program that makes the outputs.
public enum Engine {
  /// Its version; written into manifests, where a new one makes old outputs be made anew.
  public static let version = "0.1.0"

  /// Its version and those of the libraries that outputs depend on, on one line: where they are the
  /// same, so is what is made.
  public static var identity: String {
    identity(version: version, libraries: LibraryVersions.all.map { ($0.name, $0.version) })
  }

  static func identity(version: String, libraries: [(name: String, version: String)]) -> String {
    ([("keymill", version)] + libraries).map { "\($0) \($1)" }.joined(separator: ", ")
  }
}
