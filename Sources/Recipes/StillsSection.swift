public import Imaging

/// Which still pictures to take and how to finish them: the `stills` section.
public struct StillsSection: Hashable, Sendable {
  /// The picture files that are made.
  public enum Format: String, CaseIterable, Sendable {
    /// JPEG at ``StillsSection/quality``.
    case jpeg
    /// PNG, without loss.
    case png
  }

  /// The most moments a recipe can list; `every` makes as many stills as the clip is long.
  public static let mostMoments = 10_000

  /// The most filters in a chain.
  public static let mostFilters = 100

  /// Whether an input without pictures is no error, only passed over with a note.
  public var optional = false

  /// When to take the stills of a clip, in the order of their numbers; at least one moment.
  ///
  /// A picture as input is one still, whatever stands here.
  public var at: [StillMoment] = [.percent(10)]

  /// The size that no still exceeds, turned with it where it is landscape; `nil` for no limit.
  public var cap: PixelSize? = PixelSize(width: 1024, height: 1536)

  /// The filters to apply, first to last, after the picture has come under the cap: those of the
  /// recipe's look, then its own.
  public var filters: [FilterStep] = []

  /// The quality of JPEG files, 1…100 on libjpeg's scale.
  public var quality = 90

  /// The files to make of each still, without repetitions in the order of their cases.
  public var formats: [Format] = [.jpeg]

  /// Creates the section with its defaults.
  public init() {}
}

extension StillsSection.Format: NamedChoice {}

extension StillsSection {
  private enum Name: String, CaseIterable {
    case at, cap, look, filters, quality, formats, optional
  }

  /// Reads the section.
  init(_ section: Field) throws(RecipeError) {
    let fields = try Fields(of: section, named: Name.self)
    if let field = fields[.optional] { optional = try field.flag() }
    if let field = fields[.at] { at = try Self.moments(field) }
    if let field = fields[.cap] { cap = try field.unlessNull?.pixelSize() }
    if let field = fields[.look]?.unlessNull { filters = try Self.look(field).filters }
    if let field = fields[.filters] {
      filters += try Self.filters(field)
      guard filters.count <= Self.mostFilters else {
        throw field.error(
          "\(filters.count) filters with those of the look; \(Self.mostFilters) is the most")
      }
    }
    if let field = fields[.quality] { quality = try field.wholeNumber(in: 1...100) }
    if let field = fields[.formats] { formats = try Format.list(field) }
  }

  private static func look(_ field: Field) throws(RecipeError) -> Look {
    let name = try field.text("a look's name or null")
    let shelf = LookShelf(besideRecipesIn: field.source.folder)
    guard let look = try shelf.look(named: name) else {
      let hint = suggestion(for: name, among: shelf.names)
      throw field.error("no look named \(quoted(name))\(hint)")
    }
    return look
  }

  private static func filters(_ field: Field) throws(RecipeError) -> [FilterStep] {
    var filters: [FilterStep] = []
    for element in try field.elements(atMost: mostFilters) {
      filters.append(try FilterStep(element))
    }
    return filters
  }

  private static func moments(_ field: Field) throws(RecipeError) -> [StillMoment] {
    var moments: [StillMoment] = []
    for element in try field.elements(atMost: mostMoments, orLone: true) {
      moments.append(try StillMoment(element))
    }
    guard !moments.isEmpty else { throw field.error("the list is empty; name a moment") }
    return moments
  }

  /// The section with every field.
  ///
  /// The look is written out as its filters, so that the recipe stays what it was when the look
  /// changes, and two that come to the same are equal.
  var canonical: CanonicalValue {
    .object(of: [
      Name.at: .list(at.map(\.canonical)),
      .cap: .text(orNull: cap?.description),
      .look: .null,
      .filters: .list(filters.map(\.canonical)),
      .quality: .number(Double(quality)),
      .formats: .names(formats),
      .optional: .flag(optional),
    ])
  }
}
