import Testing

@testable import Worker

@Suite struct LineBufferTests {
  private func text(_ lines: [[UInt8]]) -> [String] {
    lines.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `lines come out whole however they come in`() {
    let all = Array("one\ntwo\n\nthree\nrest".utf8)
    for size in 1...all.count {
      var buffer = LineBuffer()
      var lines: [[UInt8]] = []
      for start in stride(from: 0, to: all.count, by: size) {
        lines += buffer.append(Array(all[start..<min(start + size, all.count)]))
      }
      #expect(text(lines) == ["one", "two", "three"], "in pieces of \(size)")
    }
  }

  @Test func `a line without end is not kept for ever`() {
    var buffer = LineBuffer()
    for _ in 0..<40 { #expect(buffer.append([UInt8](repeating: 0x78, count: 65_536)).isEmpty) }
    let lines = buffer.append(Array("\n{}\n".utf8))
    #expect(lines.allSatisfy { $0.count <= 1 << 20 })
    #expect(lines.last == Array("{}".utf8))
  }
}

@Suite struct LogTailTests {
  @Test func `nothing written is no text`() {
    var tail = LogTail()
    #expect(tail.text == nil)
    tail.append(Array("a warning\n".utf8))
    #expect(tail.text == "a warning\n")
  }

  @Test func `the end is kept and no more than the limit`() {
    var tail = LogTail()
    for number in 0..<20_000 { tail.append(Array("line \(number)\n".utf8)) }
    let text = tail.text ?? ""
    #expect(text.utf8.count == LogTail.limit)
    #expect(text.hasSuffix("line 19998\nline 19999\n"))
  }

  @Test func `bytes that are no UTF-8 are shown in their place`() {
    var tail = LogTail()
    tail.append([0x61, 0xFF, 0x62])
    #expect(tail.text == "a\u{FFFD}b")
  }
}
