import CLinux
import Glibc

extension Files {
  /// How `linkOrClone` gave a file its second name.
  public enum LinkKind: String, Hashable, Sendable {
    /// A file of its own that shares the blocks until one is changed.
    case reflink
    /// A second name of the same file: a change to one is a change to both.
    case hardLink
    /// A file of its own.
    case copy
  }

  /// Gives a file's content a second name at the least cost that the file systems allow.
  ///
  /// Tries a reflink, then a hard link, then copies. Links in `source` are followed. A source that is
  /// removed meanwhile is copied.
  /// - Throws: `exists` when the target is there; nothing of it is left when a copy fails.
  public static func linkOrClone(
    _ source: String, to target: String
  ) throws(PlatformError) -> LinkKind {
    let input = try FileDescriptor.open(source, .read)
    if try makeFile(target, from: input, fill: clone) { return .reflink }
    if try hardLink(source, to: target) { return .hardLink }
    _ = try makeFile(target, from: input, fill: copy)
    return .copy
  }

  /// Copies a file's content into a new file of its own: a reflink where the file systems allow it, which
  /// costs nothing until one of the two is changed.
  ///
  /// Links in `source` are followed.
  /// - Throws: `exists` when the target is there; nothing of it is left when the copy fails.
  public static func copy(_ source: String, to target: String) throws(PlatformError) {
    let input = try FileDescriptor.open(source, .read)
    if try makeFile(target, from: input, fill: clone) { return }
    _ = try makeFile(target, from: input, fill: copy)
  }

  /// Makes the target, fills it, and removes it again when `fill` fails or declines.
  private static func makeFile(
    _ target: String, from input: borrowing FileDescriptor,
    fill: (borrowing FileDescriptor, borrowing FileDescriptor, String) throws(PlatformError) -> Bool
  ) throws(PlatformError) -> Bool {
    let output = try FileDescriptor.open(target, .create)
    do throws(PlatformError) {
      if try fill(input, output, target) { return true }
    } catch {
      _ = unsafe unlink(target)
      // The number of a descriptor helps nobody.
      throw PlatformError(code: error.code, call: error.call, subject: target)
    }
    try removeFile(target)
    return false
  }

  private static func clone(
    _ input: borrowing FileDescriptor, _ output: borrowing FileDescriptor, _ target: String
  ) throws(PlatformError) -> Bool {
    // Any refusal (other file system, no reflinks, an unaligned end) leaves the other two ways.
    km_clone_file(input.rawValue, output.rawValue) == 0
  }

  private static func copy(
    _ input: borrowing FileDescriptor, _ output: borrowing FileDescriptor, _ target: String
  ) throws(PlatformError) -> Bool {
    let descriptors = (input.rawValue, output.rawValue)
    do throws(PlatformError) {
      while try check(
        "copy_file_range", target,
        {
          km_copy_range(descriptors.0, descriptors.1, 1 << 30)
        }) > 0
      {}
    } catch {
      // Not between these two file systems, or not by this kernel; it has then copied nothing.
      guard [.crossDevice, .invalid, .notImplemented, .notSupported].contains(error.code) else {
        throw error
      }
      while case .bytes(let some) = try input.read(upTo: 1 << 20) { try output.writeAll(some) }
    }
    return true
  }

  /// Whether the link could be made; `false` where a copy can do instead.
  private static func hardLink(_ source: String, to target: String) throws(PlatformError) -> Bool {
    do throws(PlatformError) {
      try check("linkat", target) {
        unsafe linkat(AT_FDCWD, source, AT_FDCWD, target, AT_SYMLINK_FOLLOW)
      }
      return true
    } catch {
      // The target's directory has held a file a moment ago: what is not found is the source, which is
      // open.
      let excuses: [ErrorCode] = [
        .crossDevice, .tooManyLinks, .notPermitted, .notSupported, .notFound,
      ]
      guard excuses.contains(error.code) else { throw error }
      return false
    }
  }
}
