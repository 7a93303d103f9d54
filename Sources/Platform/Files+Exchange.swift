import CLinux
import Glibc

extension Files {
  /// Swaps two existing names of one file system in one step, so that each is always there.
  ///
  /// Wraps `renameat2(RENAME_EXCHANGE)`. On a file system that cannot, three renames do it, and `b`
  /// is missing for the moment between two of them.
  public static func exchange(_ a: String, _ b: String) throws(PlatformError) {
    do throws(PlatformError) {
      try check("renameat2", b) { unsafe km_rename_exchange(a, b) }
    } catch {
      guard [.invalid, .notImplemented, .notSupported].contains(error.code) else { throw error }
      try exchangeByRenames(a, b)
    }
  }

  /// What `install` found at the target.
  public enum Installation: Hashable, Sendable {
    /// Nothing: the staged name is gone.
    case fresh
    /// Something that has the staged name now, for the caller to remove.
    case exchanged
  }

  /// Puts a finished file or directory in its place, whether or not something is there.
  ///
  /// Readers of the target see what was there before, or the whole new one. Both names must be on
  /// one file system (`crossDevice` otherwise); the directory above is not synced.
  public static func install(
    _ staged: String, at target: String
  ) throws(PlatformError) -> Installation {
    // Others may make or remove the target between the two calls; not for ever, though.
    var attempts = 0
    while true {
      do throws(PlatformError) {
        try renameNewOrFallback(staged, to: target)
        return .fresh
      } catch {
        guard error.code == .exists || error.code == .notEmpty else { throw error }
      }
      do throws(PlatformError) {
        try exchange(staged, target)
        return .exchanged
      } catch {
        attempts += 1
        guard error.code == .notFound, attempts < 8 else { throw error }
      }
    }
  }

  static func exchangeByRenames(_ a: String, _ b: String) throws(PlatformError) {
    // Asked first, so that a missing name changes nothing.
    _ = try FileStatus(a, followingLinks: false)
    let aside = temporaryName(beside: b)
    try rename(b, to: aside)
    do throws(PlatformError) {
      try rename(a, to: b)
    } catch {
      try rename(aside, to: b)
      throw error
    }
    try rename(aside, to: a)
  }

  private static func renameNewOrFallback(
    _ staged: String, to target: String
  ) throws(PlatformError) {
    do throws(PlatformError) {
      try renameNew(staged, to: target)
    } catch {
      guard [.invalid, .notImplemented, .notSupported].contains(error.code) else { throw error }
      guard (try? FileStatus(target, followingLinks: false)) == nil else {
        throw PlatformError(code: .exists, call: "renameat2", subject: target)
      }
      try rename(staged, to: target)
    }
  }

  /// A hidden name in the same directory that nothing has.
  static func temporaryName(beside path: String) -> String {
    let random = String(UInt64.random(in: .min ... .max), radix: 36)
    return parent(of: path) + "/.keymill-tmp-" + random
  }
}
