import Foundation
import Loudness
import Testing

@Suite struct LoudnessMeterTests {
  /// A sine on both channels.
  private func sine(
    _ frequency: Double, amplitude: Double, seconds: Double, rate: Int = 48_000, phase: Double = 0
  ) -> [Float] {
    (0..<Int(seconds * Double(rate))).flatMap { index in
      let angle = 2 * Double.pi * frequency * Double(index) / Double(rate) + phase
      return [Float](repeating: Float(amplitude * sin(angle)), count: 2)
    }
  }

  private func add(_ samples: [Float], to meter: LoudnessMeter) throws {
    try meter.add(samples.span)
  }

  /// EBU Tech 3341, cases 1 and 2: a stereo sine of 1 kHz at -23 and -33 dBFS.
  @Test(arguments: [-23.0, -33.0])
  func `a stereo sine of 1 kHz is as loud as its level`(level: Double) throws {
    let meter = try LoudnessMeter(channels: 2, sampleRate: 48_000)
    try add(sine(1000, amplitude: Decibels.amplitude(of: level), seconds: 20), to: meter)
    #expect(abs(try #require(meter.integrated) - level) < 0.1)
  }

  /// EBU Tech 3341, case 16: a quarter of the rate at 45 degrees, whose samples miss the peaks by 3 dB.
  @Test func `a true peak lies between the samples`() throws {
    let meter = try LoudnessMeter(channels: 2, sampleRate: 48_000)
    let samples = sine(12_000, amplitude: 0.5, seconds: 1, phase: .pi / 4)
    try meter.add(samples.span)
    #expect(samples.map(abs).max() ?? 1 < 0.36)
    let level = Decibels.level(of: meter.truePeak)
    #expect(level > -6.4 && level < -5.8)
  }

  @Test func `the peak of the last piece is its own`() throws {
    let meter = try LoudnessMeter(channels: 2, sampleRate: 48_000, for: .peaks)
    try add(sine(997, amplitude: 0.8, seconds: 0.1), to: meter)
    try add(sine(997, amplitude: 0, seconds: 0.1), to: meter)
    try add(sine(997, amplitude: 0.25, seconds: 0.1), to: meter)
    #expect(abs(meter.lastTruePeak - 0.25) < 0.02)
  }

  @Test func `silence has no loudness`() throws {
    let meter = try LoudnessMeter(channels: 2, sampleRate: 48_000)
    try add(sine(1000, amplitude: 0, seconds: 2), to: meter)
    #expect(meter.integrated == nil)
    #expect(meter.truePeak == 0)
  }

  @Test func `sound without channels is refused`() {
    #expect(throws: LoudnessError.outOfRange(channels: 0, sampleRate: 48_000)) {
      try LoudnessMeter(channels: 0, sampleRate: 48_000)
    }
  }
}
