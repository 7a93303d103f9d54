import Synchronization

/// What went wrong without ending the job; shared by the threads of one job.
///
/// A damaged file can log ten thousand lines: the first ones are kept, each wording once, and the
/// rest is counted.
final class Warnings: Sendable {
  private struct State {
    var lines: [String] = []
    var seen: Set<String> = []
    var suppressed = 0
    var firstDamage: (text: String, picture: String?)?
  }

  private static let limit = 20
  private let state = Mutex(State())

  /// Notes damage: something in the input could not be made.
  func damage(_ text: String) { add(text, damage: (text, nil)) }

  /// Notes damage of a picture that the recipe names.
  func damage(_ text: String, of picture: String) {
    let told = "the picture is damaged: \(text)"
    add("\(picture): \(told)", damage: (told, picture))
  }

  /// Notes something that the user should know, though all was made.
  func note(_ text: String) { add(text) }

  /// Whether damage was noted.
  var isPartial: Bool { first != nil }

  /// The first damage noted, for a message of one line.
  var first: String? { state.withLock { $0.firstDamage?.text } }

  /// The picture that the first damage is of; `nil` where it is the input's.
  var firstPicture: String? { state.withLock { $0.firstDamage?.picture } }

  /// All lines kept, and a last one that counts the others.
  var lines: [String] {
    state.withLock {
      $0.suppressed == 0 ? $0.lines : $0.lines + ["and \($0.suppressed) more like these"]
    }
  }

  private func add(_ text: String, damage: (text: String, picture: String?)? = nil) {
    state.withLock {
      if $0.firstDamage == nil { $0.firstDamage = damage }
      guard !$0.seen.contains(text) else { return $0.suppressed += 1 }
      guard $0.lines.count < Self.limit else { return $0.suppressed += 1 }
      $0.seen.insert(text)
      $0.lines.append(text)
    }
  }
}
