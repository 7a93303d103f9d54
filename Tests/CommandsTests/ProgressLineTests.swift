import Commands
import Testing

@Suite("ProgressLine")
struct ProgressLineTests {
  private let line = ProgressLine(
    title: "clip.mp4", stage: "key", fraction: 0.416, frames: 125, framesPerSecond: 31.24,
    remaining: .seconds(12))

  @Test func `a wide terminal shows everything with a bar`() {
    #expect(
      line.text(columns: 70)
        == "clip.mp4  key  [===========>                ]  41%  31.2 fps  ETA 0:12")
  }

  @Test(arguments: [
    (48, "clip.mp4  key  41%  31.2 fps  ETA 0:12"), (37, "clip.mp4  key  41%  ETA 0:12"),
    (26, "clip.mp4  key  41%"), (17, "clip.mp4  41%"), (12, "41%"), (3, "41%"), (2, "4…"),
    (1, "…"), (0, ""),
  ])
  func `a narrow terminal loses the least important first`(columns: Int, text: String) {
    #expect(line.text(columns: columns) == text)
  }

  @Test(arguments: 0...130)
  func `the line is never wider than the terminal`(columns: Int) {
    let long = ProgressLine(
      title: String(repeating: "映像", count: 40) + ".mp4", stage: "reading back", fraction: 0.999,
      framesPerSecond: 12_345, remaining: .seconds(360_000))
    for text in [long.text(columns: columns), line.text(columns: columns)] {
      let width = text.reduce(0) { $0 + ("映像".contains($1) ? 2 : 1) }
      #expect(width <= columns)
    }
  }

  @Test(arguments: [
    (0.0, "0%"), (0.009, "0%"), (0.5, "50%"), (0.9999, "99%"), (1, "100%"), (1.7, "100%"),
    (-1, "0%"),
  ])
  func `the percentage is rounded down and bounded`(fraction: Double, percent: String) {
    let line = ProgressLine(title: "a", stage: "", fraction: fraction)
    #expect(line.text(columns: 10) == "a  " + percent)
  }

  @Test func `a finished bar is full and a fresh one empty`() {
    let full = ProgressLine(title: "a", stage: "", fraction: 1).text(columns: 20)
    #expect(full == "a  [==========] 100%")
    let empty = ProgressLine(title: "a", stage: "", fraction: 0).text(columns: 20)
    #expect(empty == "a  [>         ]   0%")
  }

  @Test(arguments: [nil, Double.nan, .infinity] as [Double?])
  func `an unknown fraction shows frames and no bar`(fraction: Double?) {
    let line = ProgressLine(
      title: "a", stage: "key", fraction: fraction, frames: 125, framesPerSecond: 30)
    #expect(line.text(columns: 80) == "a  key  125 frames  30.0 fps")
    #expect(ProgressLine(title: "a", stage: "key").text(columns: 80) == "a  key  working")
  }

  @Test(arguments: [
    (Duration.zero, "0:00"), (.milliseconds(1), "0:01"), (.seconds(59), "0:59"),
    (.seconds(61), "1:01"), (.seconds(3_599.5), "1:00:00"), (.seconds(36_061), "10:01:01"),
    (.seconds(360_000), "4d"),
  ])
  func `the time left is rounded up`(remaining: Duration, text: String) {
    let line = ProgressLine(title: "a", stage: "", frames: 1, remaining: remaining)
    #expect(line.text(columns: 80) == "a  1 frames  ETA " + text)
  }

  @Test(arguments: [
    (0.04, "0.0 fps"), (9.96, "10.0 fps"), (99.94, "99.9 fps"), (99.96, "100 fps"),
    (1234.5, "1235 fps"),
  ])
  func `the speed has a decimal below a hundred`(speed: Double, text: String) {
    let line = ProgressLine(title: "a", stage: "", frames: 1, framesPerSecond: speed)
    #expect(line.text(columns: 80) == "a  1 frames  " + text)
  }

  @Test func `a long title is shortened rather than left out`() {
    let line = ProgressLine(title: "a very long name.mp4", stage: "", fraction: 0.5)
    #expect(line.text(columns: 15) == "a very lo…  50%")
  }

  @Test func `a title cannot command the terminal`() {
    let line = ProgressLine(title: "a\u{1B}[2J\nb\u{9B}1m", stage: "key", frames: 2)
    #expect(line.text(columns: 80) == "a?[2J?b?1m  key  2 frames")
  }
}
