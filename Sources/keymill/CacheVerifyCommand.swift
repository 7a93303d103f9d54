import AudioCache
import Commands
import Digests
import Platform

/// `keymill cache verify`: checks every byte of the cache, and mends what can be mended.
struct CacheVerifyCommand: Command {
  static let name = "verify"
  static let summary = "Read every track, remove what is damaged, and mend the index"
  static let discussion = """
    The files are the truth: the index is made to agree with them, or made anew. What a crash left \
    half-made is removed. Exits with 0 when every file is what it should be, with 65 when one is not, \
    and with 74 when one cannot be read. Takes as long as reading the whole cache does.
    """
  static let examples = [
    Example("keymill cache verify", "check and mend"),
    Example("keymill cache verify --dry-run", "check only"),
  ]

  @Flag(help: "Change nothing.")
  var dryRun: Bool
  @Flag(help: "Print JSON.")
  var json: Bool
  @OptionGroup var cacheOptions: CacheOptions

  func run() throws {
    let cache = try cacheOptions.open()
    let result = try cache.verify(mending: !dryRun)
    let isMended = !dryRun && !cache.store.isReadOnly
    if json {
      try Output.json(VerificationJSON(result, isMended: isMended))
    } else {
      tell(result, isMended: isMended)
    }
    if result.files.faults.contains(where: \.isUnreadable) { throw ExitCode.io }
    if !result.isClean { throw ExitCode.badData }
  }

  private func tell(_ result: CacheVerification, isMended: Bool) {
    for fault in result.files.faults {
      Output.result(Output.printable("\(fault.path): \(fault.words(isMended: isMended))"))
    }
    for path in result.twins {
      Output.result(Output.printable("\(path): removed, a second file of the same content"))
    }
    if result.isIndexNew { Output.result("the index was damaged; it was made again") }
    Output.result(
      "\(result.files.trackCount) tracks, \(ByteCount.text(Int(result.files.byteCount))), "
        + "\(result.files.faults.count) wrong; "
        + "index: \(result.adopted) added, \(result.forgotten) removed; "
        + "\(result.swept) left-overs removed")
  }
}

/// What `cache verify --json` prints.
private struct VerificationJSON: Encodable {
  let tracks: Int
  let bytes: Int64
  let faults: [FaultJSON]
  let twins: [String]
  let adopted: Int
  let forgotten: Int
  let swept: Int
  let indexRebuilt: Bool

  init(_ result: CacheVerification, isMended: Bool) {
    tracks = result.files.trackCount
    bytes = result.files.byteCount
    faults = result.files.faults.map {
      FaultJSON(path: $0.path, fault: $0.words(isMended: isMended))
    }
    twins = result.twins
    adopted = result.adopted
    forgotten = result.forgotten
    swept = result.swept
    indexRebuilt = result.isIndexNew
  }

  struct FaultJSON: Encodable {
    let path: String
    let fault: String
  }
}

extension Verification.Fault {
  fileprivate var isUnreadable: Bool {
    if case .unreadable = kind { true } else { false }
  }

  /// What is wrong, in words, and what was done about it or is to be done.
  fileprivate func words(isMended: Bool) -> String {
    switch kind {
    case .wrongContent(let actual):
      "damaged: its content is \(actual.hex)"
        + (isMended ? "; removed" : "; `keymill cache verify` removes it")
    case .unreadable(let error): "cannot be read: \(error)"
    case .misplaced: "does not belong there; move it away or delete it"
    }
  }
}
