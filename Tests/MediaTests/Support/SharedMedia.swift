import Foundation

/// The shared corpus of odd media files, where this checkout has one beside it.
enum SharedMedia {
  static let absent = "the shared media corpus is not here (KEYMILL_SHARED)"

  private static let root: String = {
    let named = ProcessInfo.processInfo.environment["KEYMILL_SHARED"]
    return (named ?? "\(Checkout.root)/../shared") + "/media"
  }()

  static var isPresent: Bool { FileManager.default.fileExists(atPath: root) }

  /// The path of one of the files.
  static func path(_ name: String) -> String { "\(root)/\(name)" }
}
