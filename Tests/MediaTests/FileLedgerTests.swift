import Digests
import Foundation
import Platform
import TestSupport
import Testing

@testable import Media

@Suite(.temporaryDirectory) struct FileLedgerTests {
  private func record(_ path: String, bytes: Int = 1) -> FileRecord {
    FileRecord(path: path, bytes: bytes, sha256: SHA256Digest(of: path), seconds: nil)
  }

  private func names(in directory: String) throws -> [String] {
    let spool = try Files.read("\(directory)/\(FileLedger.spoolName)")
    let json = Data(Array("[".utf8) + spool + Array("]".utf8))
    let entries = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
    return entries.compactMap { $0["path"] as? String }
  }

  @Test func `frames stand in the order of their numbers, whenever they are done`() throws {
    let ledger = try FileLedger(in: TemporaryDirectory.path)
    for number in [3, 1, 2, 6, 5, 4] {
      try ledger.addFrame(number, [record("frames/\(number)"), record("mask/\(number)")])
    }
    try ledger.flush()
    #expect(
      try names(in: TemporaryDirectory.path)
        == (1...6).flatMap { ["frames/\($0)", "mask/\($0)"] })
  }

  @Test func `threads may enter frames at the same time`() throws {
    let ledger = try FileLedger(in: TemporaryDirectory.path)
    DispatchQueue.concurrentPerform(iterations: 2000) { index in
      try? ledger.addFrame(index + 1, [record("frames/\(index + 1)", bytes: 10)])
    }
    try ledger.flush()
    #expect(try names(in: TemporaryDirectory.path) == (1...2000).map { "frames/\($0)" })
    #expect(ledger.totals == (2000, 20_000))
  }

  @Test func `entries are JSON with size, digest and time`() throws {
    var record = record("stills/\"1\".png", bytes: 42)
    record.seconds = 1.0 / 3
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(record.json.utf8)) as? [String: Any])
    #expect(object["path"] as? String == "stills/\"1\".png")
    #expect(object["bytes"] as? Int == 42)
    #expect(object["sha256"] as? String == record.sha256.hex)
    #expect(object["time"] as? Double == 0.333333)
  }

  @Test func `a ledger without entries is empty, not missing`() throws {
    let ledger = try FileLedger(in: TemporaryDirectory.path)
    try ledger.flush()
    #expect(try names(in: TemporaryDirectory.path) == [])
    #expect(ledger.totals == (0, 0))
  }
}
