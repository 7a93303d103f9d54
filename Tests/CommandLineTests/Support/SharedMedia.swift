import Foundation
import Testing

/// The shared corpus of odd media files, where this checkout has one beside it.
enum SharedMedia {
  /// Whether it is there.
  static let isThere = Checkout.shared != nil
  /// Why tests of it are skipped.
  static let absence: Comment = "there is no shared corpus beside this checkout (KEYMILL_SHARED)"

  /// A file of it.
  static func file(_ name: String) throws -> String {
    guard let shared = Checkout.shared else { throw CocoaError(.fileNoSuchFile) }
    return shared.appending(path: "media/\(name)").path(percentEncoded: false)
  }
}
