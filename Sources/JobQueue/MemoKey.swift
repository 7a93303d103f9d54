public import Digests

/// All that the bytes of an output depend on: where it is the same, so is the output.
public struct MemoKey: Hashable, Sendable {
  /// The SHA-256 of the input's bytes.
  public var input: SHA256Digest
  /// Identifies the recipe's document.
  public var recipeDigest: String
  /// The version of what carries recipes out.
  public var engine: String

  /// Makes a key of its parts.
  public init(input: SHA256Digest, recipeDigest: String, engine: String) {
    self.input = input
    self.recipeDigest = recipeDigest
    self.engine = engine
  }
}

/// An output that was made earlier; whether it is still whole is for the caller to see.
public struct Memo: Hashable, Sendable {
  /// The job that made it.
  public var job: Job.ID
  /// Its directory.
  public var output: String
  /// The result document, where it is still kept; the manifest in the output tells the same.
  public var result: String?

  /// Makes a memo of its parts.
  public init(job: Job.ID, output: String, result: String?) {
    self.job = job
    self.output = output
    self.result = result
  }
}
