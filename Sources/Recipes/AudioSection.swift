/// What to make of a clip's sound: the `audio` section.
public struct AudioSection: Hashable, Sendable {
  /// The forms a track can be kept in.
  public enum Format: String, CaseIterable, Sendable {
    /// The track as it is, bit for bit, in its natural container.
    case copy
    /// Decoded samples.
    case wav
  }

  /// Whether an input without sound is no error, only passed over with a note.
  public var optional = false

  /// The forms to make, without repetitions in the order of their cases.
  public var formats: [Format] = [.copy]

  /// Creates the section with its defaults.
  public init() {}
}

extension AudioSection.Format: NamedChoice {
  static let announced = ["flac", "mp3", "m4a", "opus", "peaks"]
}

extension AudioSection {
  private enum Name: String, CaseIterable {
    case formats, optional
  }

  /// Reads the section.
  init(_ section: Field) throws(RecipeError) {
    let fields = try Fields(of: section, named: Name.self)
    if let field = fields[.optional] { optional = try field.flag() }
    if let field = fields[.formats] { formats = try Format.list(field) }
  }

  /// The section with every field.
  var canonical: CanonicalValue {
    .object(of: [Name.formats: .names(formats), .optional: .flag(optional)])
  }
}
