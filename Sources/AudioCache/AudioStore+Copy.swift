import Digests
import Platform

extension AudioStore {
  /// Copies a file into `incoming` and hashes what it copies, so that the digest is that of the copy
  /// whatever happens to the file meanwhile.
  ///
  /// - Returns: The copy, which is the caller's to remove, and its digest.
  func copyIn(_ path: String) throws(AudioStoreError) -> (path: String, digest: SHA256Digest) {
    try system { () throws(PlatformError) in
      let input = try FileDescriptor.open(path, .read)
      guard try FileStatus(descriptor: input.rawValue).kind == .file else {
        throw PlatformError(code: .invalid, call: "open", subject: path)
      }
      try Files.makeDirectory(incoming, permissions: 0o700)
      let copy = incoming + "/" + (try Self.temporaryName())
      do throws(PlatformError) {
        let output = try FileDescriptor.open(copy, .create, permissions: 0o600)
        var hasher = SHA256Hasher()
        while case .bytes(let some) = try input.read(upTo: 1 << 20) {
          hasher.update(some)
          try output.writeAll(some)
        }
        try output.close()
        return (copy, hasher.finish())
      } catch {
        try? Files.removeFile(copy)
        // The number of a descriptor helps nobody.
        throw PlatformError(code: error.code, call: error.call, subject: root)
      }
    }
  }
}
