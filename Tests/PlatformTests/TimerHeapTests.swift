import Testing

@testable import Platform

@Suite("TimerHeap")
struct TimerHeapTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `it agrees with a sorted list whatever is added and cancelled`(seed: UInt64) {
    var random = SplitMix(state: seed)
    var heap = TimerHeap<Int>()
    var model: [(deadline: Int64, id: UInt64, action: Int)] = []
    var now: Int64 = 0
    for step in 0..<5_000 {
      switch random.next() % 4 {
      case 0, 1:
        let deadline = now + Int64(random.next() % 100)
        model.append((deadline, heap.add(deadline: deadline, step), step))
      case 2:
        guard let victim = model.indices.randomElement(using: &random) else { continue }
        heap.cancel(model.remove(at: victim).id)
      default:
        now += Int64(random.next() % 10)
        model.sort { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        while let (id, action) = heap.popDue(now) {
          let first = model.removeFirst()
          #expect(first.id == id && first.action == action && first.deadline <= now)
        }
        #expect(model.first.map { $0.deadline > now } ?? true, "seed \(seed), step \(step)")
      }
      #expect(heap.count == model.count)
      #expect(heap.next() == model.map(\.deadline).min())
    }
  }

  @Test func `a timer added again under its id comes once`() {
    var heap = TimerHeap<String>()
    let id = heap.add(deadline: 1, "tick")
    #expect(heap.popDue(1)?.action == "tick")
    heap.add(deadline: 2, id: id, "tick")
    #expect(heap.popDue(1) == nil)
    #expect(heap.popDue(2)?.id == id)
    #expect(heap.popDue(9) == nil)
  }
}

/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
