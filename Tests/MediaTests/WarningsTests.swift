import Testing

@testable import Media

@Suite struct WarningsTests {
  @Test func `damage makes the output partial and a note does not`() {
    let warnings = Warnings()
    warnings.note("skipped")
    #expect(!warnings.isPartial)
    warnings.damage("broken")
    #expect(warnings.isPartial)
    #expect(warnings.lines == ["skipped", "broken"])
  }

  @Test func `ten thousand lines are bounded and counted`() {
    let warnings = Warnings()
    for number in 0..<10_000 { warnings.damage("line \(number)") }
    #expect(warnings.lines.count == 21)
    #expect(warnings.lines.first == "line 0")
    #expect(warnings.lines.last == "and 9980 more like these")
  }

  @Test func `a wording stands once, however often it comes`() {
    let warnings = Warnings()
    for _ in 0..<3 { warnings.damage("the same") }
    #expect(warnings.lines == ["the same", "and 2 more like these"])
  }

  @Test func `the first damage is no note that came before it`() {
    let warnings = Warnings()
    #expect(warnings.first == nil)
    warnings.note("skipped: no video stream to key")
    #expect(warnings.first == nil)
    warnings.damage("audio at 0:01.000: a damaged packet")
    warnings.damage("later")
    #expect(warnings.first == "audio at 0:01.000: a damaged packet")
  }

  @Test func `the first damage is known even after too many notes`() {
    let warnings = Warnings()
    for number in 0..<50 { warnings.note("note \(number)") }
    warnings.damage("broken")
    #expect(warnings.first == "broken")
  }
}
