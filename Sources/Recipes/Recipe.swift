import Imaging

/// What to make from an input: at least one of the sections `key`, `audio` and `stills`.
///
/// A recipe is a JSON document. Fields that it does not give have their defaults, fields that do not
/// exist are errors. ``canonicalJSON`` writes it in the one form that equal recipes share.
public struct Recipe: Hashable, Sendable {
  /// What to do about an input that is damaged.
  public enum Damaged: String, CaseIterable, Sendable {
    /// Make what decodes, with warnings.
    case keep
    /// Refuse it.
    case fail
  }

  /// The keyed animation to make, if any.
  public var key: KeySection?

  /// What to make of the sound, if anything.
  public var audio: AudioSection?

  /// The stills to make, if any.
  public var stills: StillsSection?

  /// What to do about an input that is damaged.
  public var damaged: Damaged

  /// Creates a recipe of its sections.
  ///
  /// - Precondition: At least one section is given.
  public init(
    key: KeySection? = nil, audio: AudioSection? = nil, stills: StillsSection? = nil,
    damaged: Damaged = .keep
  ) {
    precondition(key != nil || audio != nil || stills != nil, "a recipe has at least one section")
    self.key = key
    self.audio = audio
    self.stills = stills
    self.damaged = damaged
  }
}

extension Recipe {
  /// The files that it takes besides the input: pictures to blend with, masks, plates.
  public var paths: [String] {
    (key?.paths ?? []) + (stills?.filters.flatMap(\.pictures) ?? [])
  }
}

extension Recipe.Damaged: NamedChoice {}

extension Recipe {
  private enum Name: String, CaseIterable {
    case key, audio, stills, damaged
  }

  /// Reads a recipe from JSON text.
  ///
  /// - Parameters:
  ///   - json: The document.
  ///   - name: What errors call the document.
  /// - Throws: `RecipeError` of kind `invalid` at the first fault.
  public init(json: String, name: String) throws(RecipeError) {
    try self.init(json: Array(json.utf8), name: name)
  }

  /// Reads a recipe from the bytes of a JSON document in UTF-8.
  ///
  /// - Parameters:
  ///   - json: The document; a byte order mark is passed over.
  ///   - name: What errors call the document.
  ///   - folder: What relative paths in it are put behind, with a slash at its end; nothing for the
  ///     working directory.
  /// - Throws: `RecipeError` of kind `invalid` at the first fault.
  public init(json: [UInt8], name: String, folder: String = "") throws(RecipeError) {
    let source = try SourceText(name: name, bytes: json, folder: folder)
    let node = try JSONReader.read(source)
    try self.init(Field(node: node, path: FieldPath(), source: source))
  }

  private init(_ document: Field) throws(RecipeError) {
    let fields = try Fields(of: document, named: Name.self)
    var damaged = Damaged.keep
    if let field = fields[.damaged] { damaged = try Damaged(field) }
    let key = try fields[.key]?.unlessNull.map(KeySection.init)
    let audio = try fields[.audio]?.unlessNull.map(AudioSection.init)
    let stills = try fields[.stills]?.unlessNull.map(StillsSection.init)
    guard key != nil || audio != nil || stills != nil else {
      throw document.error(
        "a recipe needs at least one of the sections \(enumerated(["key", "audio", "stills"]))")
    }
    self.init(key: key, audio: audio, stills: stills, damaged: damaged)
  }

  /// The recipe as JSON with every field of its sections, in the one form of equal recipes.
  ///
  /// There is no white space, members are sorted by name, and each colour and time has one way of
  /// writing. Reading it back gives an equal recipe, so its bytes serve to compare.
  public var canonicalJSON: String {
    var values: [Name: CanonicalValue] = [.damaged: .text(damaged.rawValue)]
    values[.key] = key?.canonical
    values[.audio] = audio?.canonical
    values[.stills] = stills?.canonical
    return CanonicalValue.object(of: values).json
  }
}
