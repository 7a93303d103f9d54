/// The program that makes the outputs.
public enum Engine {
  /// Its version; written into manifests, where a new one makes old outputs be made anew.
  public static let version = "0.1.0"
}
