import Testing

@testable import Media

@Suite struct TimecodeTests {
  @Test(
    arguments: [
      (0, "0:00.000"), (0.0004, "0:00.000"), (0.0006, "0:00.001"), (59.9996, "1:00.000"),
      (61.25, "1:01.250"), (3599.999, "59:59.999"), (3600, "1:00:00.000"),
      (36_061.5, "10:01:01.500"),
    ] as [(Double, String)])
  func `seconds are written as people read them`(seconds: Double, text: String) {
    #expect(Timecode.text(seconds) == text)
  }

  @Test func `times out of all reason are written all the same`() {
    #expect(Timecode.text(-5) == "0:00.000")
    #expect(Timecode.text(.infinity) == Timecode.text(1e9))
    #expect(Timecode.text(1e300) == Timecode.text(1e9))
  }

  @Test func `no number is written as no time`() {
    #expect(Timecode.text(.nan) == "0:00.000")
  }
}
