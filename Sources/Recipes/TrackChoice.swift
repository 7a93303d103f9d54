/// Which audio tracks of an input to take.
public enum TrackChoice: Hashable, Sendable {
  /// The one that a player would play: the first that is marked default, or else the first.
  case standard
  /// All of them, each into files of its own.
  case all
  /// The one of this number, counted from 1.
  case number(Int)
  /// The first in this language, by its code of two or three letters (ISO 639-1, ISO 639-2).
  case language(String)
}

extension TrackChoice {
  /// The most tracks that a recipe can count to.
  static let mostTracks = 1000

  private static let forms = "\"default\", \"all\", a number from 1, or a language such as \"eng\""
  private static let names = ["default", "all"]

  /// Reads `audio.track`.
  init(_ field: Field) throws(RecipeError) {
    switch field.node.value {
    case .number(0): throw field.error("tracks count from 1")
    case .number: self = .number(try field.wholeNumber(in: 1...Self.mostTracks))
    case .text("default"): self = .standard
    case .text("all"): self = .all
    case .text(let text):
      let isCode = (2...3).contains(text.count) && text.allSatisfy { ("a"..."z").contains($0) }
      guard isCode else {
        let near = nearestName(to: text, among: Self.names)
        let hint = near.map { "did you mean \(quoted($0))?" } ?? "give \(Self.forms)"
        throw field.error("\(quoted(text)) is no track; \(hint)")
      }
      self = .language(text)
    default: throw field.mismatch(Self.forms)
    }
  }

  /// The choice as a recipe gives it.
  var canonical: CanonicalValue {
    switch self {
    case .standard: .text("default")
    case .all: .text("all")
    case .number(let number): .number(Double(number))
    case .language(let code): .text(code)
    }
  }
}
