import CCrypto

/// Computes a SHA-256 piece by piece, with the processor's SHA instructions where it has them.
///
/// Wraps OpenSSL's `EVP_MD_CTX`. Safe: the context is made, used and freed here alone.
@safe
public struct SHA256Hasher: ~Copyable {
  private let context: OpaquePointer

  /// Begins with no bytes.
  ///
  /// Ends the program when memory is exhausted.
  public init() {
    guard let context = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    else { preconditionFailure("no memory for a SHA-256") }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Adds bytes to the end.
  public mutating func update(_ bytes: RawSpan) {
    // OpenSSL reads within the bounds only and keeps no pointer; the digest itself cannot fail.
    let result = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    precondition(result == 1, "EVP_DigestUpdate")
  }

  /// Adds an array's bytes to the end.
  public mutating func update(_ bytes: [UInt8]) {
    // A byte has no padding, so every byte of the span is initialised.
    unsafe update(bytes.span.bytes)
  }

  /// The digest of all bytes added.
  public consuming func finish() -> SHA256Digest {
    var words: [4 of UInt64] = .init(repeating: 0)
    // The call writes exactly 32 bytes, the size of the four words.
    let result = unsafe withUnsafeMutableBytes(of: &words) { space in
      unsafe EVP_DigestFinal_ex(
        context, space.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
    }
    precondition(result == 1, "EVP_DigestFinal_ex")
    for index in words.indices { words[index] = UInt64(bigEndian: words[index]) }
    return SHA256Digest(words)
  }
}

extension SHA256Digest {
  /// The digest of an array's bytes.
  public init(of bytes: [UInt8]) {
    var hasher = SHA256Hasher()
    hasher.update(bytes)
    self = hasher.finish()
  }

  /// The digest of a span's bytes.
  public init(of bytes: RawSpan) {
    var hasher = SHA256Hasher()
    hasher.update(bytes)
    self = hasher.finish()
  }

  /// The digest of a string's UTF-8.
  public init(of text: String) {
    self.init(of: Array(text.utf8))
  }
}
