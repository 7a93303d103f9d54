import Recipes
import Testing

@testable import Media

@Suite struct StillScheduleTests {
  private func all(_ moments: [StillMoment], duration: Double) -> [StillSchedule.Instant] {
    var schedule = StillSchedule(moments, duration: duration)
    return schedule.takeRest()
  }

  @Test func `moments are numbered as the recipe lists them and taken as the clip runs`() {
    let instants = all([.percent(90), .time(.seconds(1)), .percent(0)], duration: 10)
    #expect(instants.map(\.number) == [3, 2, 1])
    #expect(instants.map(\.seconds) == [0, 1, 9])
  }

  @Test func `an interval begins with the first frame and leaves out the clip's end`() {
    #expect(all([.every(.seconds(1))], duration: 3).map(\.seconds) == [0, 1, 2])
    #expect(all([.every(.seconds(1))], duration: 3.5).map(\.seconds) == [0, 1, 2, 3])
    #expect(all([.every(.seconds(5))], duration: 3).map(\.seconds) == [0])
  }

  @Test func `an interval takes one still of a clip without length`() {
    #expect(all([.every(.seconds(1))], duration: 0).map(\.seconds) == [0])
  }

  @Test func `what follows an interval is numbered after all its stills`() {
    let instants = all([.every(.seconds(1)), .time(.milliseconds(500))], duration: 3)
    #expect(instants.first { $0.seconds == 0.5 }?.number == 4)
  }

  @Test func `two moments at one time are two stills`() {
    let instants = all([.time(.seconds(1)), .percent(50)], duration: 2)
    #expect(instants == [.init(number: 1, seconds: 1), .init(number: 2, seconds: 1)])
  }

  @Test func `a frame serves the moments until the next one is shown`() {
    var schedule = StillSchedule(seconds: [0.5, 1, 1.5])
    #expect(schedule.take(before: 0.5).isEmpty)
    #expect(schedule.take(before: 1).map(\.number) == [1])
    #expect(schedule.count == 2)
    #expect(schedule.take(before: 5).map(\.number) == [2, 3])
    #expect(schedule.isEmpty)
    #expect(schedule.takeRest().isEmpty)
  }

  @Test func `a frame's time in whole microseconds names that frame`() {
    for number in 1..<90 {
      let time = Double(number) / 30
      let named = (time * 1e6).rounded() / 1e6
      var schedule = StillSchedule(seconds: [named])
      #expect(schedule.take(before: time).isEmpty, "frame \(number) is not yet shown")
      #expect(schedule.take(before: time + 1.0 / 30).count == 1)
    }
  }
}
