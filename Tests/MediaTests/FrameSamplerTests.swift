import Recipes
import Testing

@testable import Media

@Suite struct FrameSamplerTests {
  /// A frame that a sampler let through: which one of the clip it is, and its new time.
  private struct Taken: Equatable {
    let source: Int
    let seconds: Double
  }

  private func sample(
    _ clip: [ShownFrame], end: Double, _ change: (inout KeySection) -> Void
  ) -> [Taken] {
    var section = KeySection()
    change(&section)
    var sampler = FrameSampler(section)
    let taken = clip.flatMap { sampler.take($0) } + sampler.finish(end: end)
    return taken.map { frame in
      Taken(
        source: clip.firstIndex { $0.frame === frame.frame } ?? -1, seconds: frame.seconds)
    }
  }

  @Test func `every frame goes through once where nothing is asked for`() throws {
    let clip = try ShownFrames.clip(rate: 25, count: 10)
    let taken = sample(clip, end: 0.4) { _ in }
    #expect(
      taken == clip.enumerated().map { Taken(source: $0.offset, seconds: $0.element.seconds) })
  }

  @Test func `frames keep their own times where those are uneven`() throws {
    let clip = try [0, 0.01, 0.5, 0.52].map(ShownFrames.frame(at:))
    #expect(sample(clip, end: 1) { _ in }.map(\.seconds) == [0, 0.01, 0.5, 0.52])
  }

  @Test func `the span begins with the frame at its start and ends before the one at its end`()
    throws
  {
    let clip = try ShownFrames.clip(rate: 10, count: 20)
    let taken = sample(clip, end: 2) {
      $0.from = .milliseconds(500)
      $0.to = .milliseconds(1200)
    }
    #expect(taken.map(\.source) == Array(5..<12))
  }

  @Test(arguments: [10, 24, 25, 30, 50, 60, 120])
  func `the clip's own rate changes nothing`(rate: Int) throws {
    let count = rate * 10
    let clip = try ShownFrames.clip(rate: rate, count: count)
    let taken = sample(clip, end: 10) { $0.fps = Double(rate) }
    #expect(taken.map(\.source) == Array(0..<count))
  }

  @Test func `half the rate takes every second frame`() throws {
    let clip = try ShownFrames.clip(rate: 30, count: 90)
    let taken = sample(clip, end: 3) { $0.fps = 15 }
    #expect(taken.map(\.source) == Array(stride(from: 0, to: 90, by: 2)))
  }

  @Test func `twice the rate shows every frame twice`() throws {
    let clip = try ShownFrames.clip(rate: 30, count: 90)
    let taken = sample(clip, end: 3) { $0.fps = 60 }
    #expect(taken.map(\.source) == (0..<180).map { $0 / 2 })
  }

  @Test(arguments: [1, 7, 23.976, 29.97, 59.94, 1000.0 / 3])
  func `frames at a rate stand evenly and fill the clip`(rate: Double) throws {
    let taken = sample(try ShownFrames.clip(rate: 30, count: 60), end: 2) { $0.fps = rate }
    #expect(taken.count == Int((2 * rate).rounded(.up)))
    for (number, frame) in taken.enumerated() {
      #expect(abs(frame.seconds - Double(number) / rate) < 1e-9)
    }
  }

  @Test func `at a rate each time shows the frame that a player shows then`() throws {
    let times = [0, 0.04, 0.3, 0.31, 0.32, 0.9]
    let clip = try times.map(ShownFrames.frame(at:))
    let taken = sample(clip, end: 1) { $0.fps = 20 }
    #expect(taken.count == 20)
    for frame in taken {
      #expect(frame.source == times.lastIndex { $0 < frame.seconds + 1e-6 })
    }
  }

  @Test func `at a rate the first frame is the one shown where the span begins`() throws {
    let clip = try ShownFrames.clip(rate: 10, count: 20)
    let taken = sample(clip, end: 2) {
      $0.fps = 10
      $0.from = .milliseconds(550)
      $0.to = .milliseconds(900)
    }
    #expect(taken.map(\.source) == [5, 6, 7, 8])
    #expect(taken.first?.seconds == 0.55)
  }

  @Test func `a frame's time in whole microseconds names that frame`() throws {
    let clip = try ShownFrames.clip(rate: 30, count: 90)
    for number in 1..<89 {
      let time = Duration.microseconds(Int64((clip[number].seconds * 1e6).rounded()))
      let next = Duration.microseconds(Int64((clip[number + 1].seconds * 1e6).rounded()))
      let taken = sample(clip, end: 3) {
        $0.from = time
        $0.to = next
      }
      #expect(taken.map(\.source) == [number])
    }
  }

  @Test func `nothing is wanted any more once the span's end is reached`() {
    var section = KeySection()
    section.to = .seconds(2)
    let sampler = FrameSampler(section)
    #expect(!sampler.isPast(1.99))
    #expect(sampler.isPast(2))
    #expect(!FrameSampler(KeySection()).isPast(1e9))
  }

  @Test func `an empty clip has no frames at any rate`() {
    #expect(sample([], end: 0) { $0.fps = 25 } == [])
  }
}
