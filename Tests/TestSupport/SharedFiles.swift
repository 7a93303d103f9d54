public import Foundation
public import Testing

/// The files that are shared between checkouts and not part of the repository.
public enum SharedFiles {
  /// Their folder: `$KEYMILL_SHARED`, else `shared` beside the repository; `nil` where there is none.
  public static let folder: URL? = {
    let given = ProcessInfo.processInfo.environment["KEYMILL_SHARED"].map { URL(filePath: $0) }
    let beside = Checkout.root.deletingLastPathComponent().appending(path: "shared")
    let url = given ?? beside
    return FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) ? url : nil
  }()

  /// Whether they are here.
  public static var areHere: Bool { folder != nil }

  /// Why tests of them are skipped.
  public static let absence: Comment =
    "the shared files are not beside this checkout (KEYMILL_SHARED)"

  /// The path of one of the odd media files; of none where they are absent.
  public static func media(_ name: String) -> String { path("media/" + name) }

  /// The path of one of the golden renders or their inputs; of none where they are absent.
  public static func golden(_ name: String) -> String { path("golden/" + name) }

  private static func path(_ name: String) -> String {
    (folder ?? URL(filePath: "/nonexistent")).appending(path: name).path(percentEncoded: false)
  }
}

/// Where the repository's own files lie.
public enum Checkout {
  /// The root of the repository.
  public static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// A file of `samples/`.
  public static func sample(_ name: String) -> String {
    root.appending(path: "samples/\(name)").path(percentEncoded: false)
  }

  /// A recipe of `jobs/`.
  public static func recipe(_ name: String) -> String {
    root.appending(path: "jobs/\(name).json").path(percentEncoded: false)
  }
}
