import JobQueue
import Testing

@Suite struct BackoffTests {
  private let backoff = Backoff(
    base: .seconds(5), factor: 2, maximum: .seconds(60), jitter: 0.2)

  @Test(arguments: zip([1, 2, 3, 4, 5, 99], [5, 10, 20, 40, 60, 60] as [Double]))
  func `delays grow by the factor up to the maximum, within the jitter`(
    failures: Int, seconds: Double
  ) {
    for seed in Int64(0)..<1000 {
      let delay = backoff.delay(after: failures, seed: seed)
      #expect(delay >= .seconds(seconds * 0.8) && delay <= .seconds(seconds * 1.2), "seed \(seed)")
    }
  }

  @Test func `the same failure of the same job waits the same time`() {
    #expect(backoff.delay(after: 2, seed: 7) == backoff.delay(after: 2, seed: 7))
  }

  @Test func `jobs that failed together spread over the whole jitter`() {
    let delays = (Int64(0)..<1000).map { backoff.delay(after: 1, seed: $0) / .seconds(5) }
    for tenth in 0..<10 {
      let range = (0.8 + Double(tenth) * 0.04)..<(0.84 + Double(tenth) * 0.04)
      #expect((60...140).contains(delays.count { range.contains($0) }))
    }
  }

  @Test func `without jitter the delay is the law itself`() {
    let exact = Backoff(base: .seconds(1), factor: 3, maximum: .seconds(20), jitter: 0)
    #expect((1...4).map { exact.delay(after: $0, seed: 1) } == [1, 3, 9, 20].map { .seconds($0) })
  }
}
