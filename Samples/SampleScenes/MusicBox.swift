import Glibc

/// A music box that plays a small waltz: sound for the samples.
public enum MusicBox {
  /// Samples a second and channel.
  public static let sampleRate = 44_100

  /// The tune's first `seconds`, over and over: 16-bit samples, left and right in turn.
  public static func samples(seconds: Double) -> [Int16] {
    let count = Int(seconds * Double(sampleRate))
    var left = [Float](repeating: 0, count: count)
    var right = left
    for note in notes(until: Float(seconds)) {
      add(note, to: &left, gain: 0.9 - 0.5 * note.place)
      add(note, to: &right, gain: 0.4 + 0.5 * note.place)
    }
    let fadeOut = Float(sampleRate) / 4
    return (0..<count).flatMap { index -> [Int16] in
      let fade = min(1, Float(count - index) / fadeOut)
      return [sample(left[index] * fade), sample(right[index] * fade)]
    }
  }

  private struct Note {
    var start: Float
    var frequency: Float
    var loudness: Float
    /// 0 on the left, 1 on the right.
    var place: Float
  }

  /// Half tones above middle C, one an eighth, and -1 for a rest: eight bars of 3/4.
  private static let melody = [
    28, -1, 31, 28, 24, -1, 26, -1, 29, 26, 23, -1, 24, 26, 28, 31, 36, -1, 35, -1, 31, -1, 26, -1,
    29, -1, 33, 29, 26, -1, 28, -1, 31, 28, 24, -1, 23, 24, 26, 29, 28, 26, 24, -1, -1, -1, -1, -1,
  ]
  /// The chords' half tones, one a quarter.
  private static let bass = [
    0, 16, 19, 7, 14, 17, 0, 16, 19, 7, 17, 23, 5, 21, 24, 0, 16, 19, 7, 14, 17, 0, 16, 19,
  ]
  private static let eighth: Float = 0.21

  private static func notes(until end: Float) -> [Note] {
    var notes = [Note]()
    var step = 0
    while Float(step) * eighth < end {
      let start = Float(step) * eighth
      let high = melody[step % melody.count]
      if high >= 0 {
        notes.append(Note(start: start, frequency: pitch(high), loudness: 0.3, place: 0.65))
      }
      if step.isMultiple(of: 2) {
        let low = bass[step / 2 % bass.count]
        notes.append(Note(start: start, frequency: pitch(low), loudness: 0.16, place: 0.3))
      }
      step += 1
    }
    return notes
  }

  private static func pitch(_ halfTones: Int) -> Float {
    261.63 * pow(2, Float(halfTones) / 12)
  }

  /// Adds a plucked tine: a tone and two overtones, the higher the sooner gone.
  private static func add(_ note: Note, to channel: inout [Float], gain: Float) {
    let first = Int(note.start * Float(sampleRate))
    let last = min(channel.count, first + 2 * sampleRate)
    for index in first..<max(first, last) {
      let time = Float(index - first) / Float(sampleRate)
      let angle = 2 * Float.pi * note.frequency * time
      let tone =
        sin(angle) * exp(-3 * time) + 0.35 * sin(3 * angle) * exp(-7 * time)
        + 0.12 * sin(5.4 * angle) * exp(-16 * time)
      channel[index] += tone * note.loudness * gain * min(1, time * 400)
    }
  }

  private static func sample(_ value: Float) -> Int16 {
    Int16(max(-1, min(1, value)) * 32_767)
  }
}
