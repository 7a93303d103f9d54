import Commands
import Imaging
import Media
import Recipes

/// `keymill looks`: the named chains of filters, and how they look.
struct LooksCommand: Command {
  static let name = "looks"
  static let summary = "List the looks, or draw a picture in all of them"
  static let discussion = """
    A look is a named chain of still filters, which a recipe takes with "look": "noir" in its section \
    "stills". Looks are files: those in the folder "looks" beside a recipe, and those that came with \
    keymill.
    """
  static let examples = [
    Example("keymill looks", "their names"),
    Example("keymill looks photo.jpg -o sheet.jpg", "the photo in each of them"),
  ]

  @Argument(help: "The picture to draw; without it the looks are listed.", valueName: "picture")
  var picture: String?
  @Option(
    name: .shortAndLong, help: "The contact sheet to write, a .jpg or .png file.",
    valueName: "file")
  var output: String?
  @Option(
    help: "The folder of the looks, in place of those that came with keymill.", valueName: "dir")
  var folder: String?
  @Option(help: "The longest side of a picture on the sheet.", valueName: "pixels")
  var size: Int = 320
  @Flag(help: "Print JSON.")
  var json: Bool

  func validate() throws {
    guard (picture == nil) == (output == nil) else {
      throw UsageError(
        picture == nil ? "--output needs a picture to draw" : "name the sheet with --output")
    }
    guard (32...2048).contains(size) else { throw UsageError("--size goes from 32 to 2048") }
    _ = try output.map(PictureOutput.init)
  }

  func run() throws {
    let looks = try all()
    if let picture, let output { return try draw(picture, in: looks, to: PictureOutput(output)) }
    if json { return try Output.json(looks.map(LookJSON.init)) }
    var table = TextTable(["LOOK", "WHAT IT LOOKS LIKE"])
    for look in looks { table.add([look.name, look.summary]) }
    table.lines.forEach(Output.result)
  }

  private func all() throws -> [Look] {
    let shelf = folder.map(LookShelf.init(folder:)) ?? .shipped
    let looks = try shelf.names.compactMap { name in try shelf.look(named: name) }
    guard !looks.isEmpty else {
      throw InputError(
        description: folder.map { "\($0): there are no looks here" }
          ?? "the looks that come with keymill are not beside it; name their folder with --folder",
        exitCode: .noInput)
    }
    return looks
  }

  private func draw(_ picture: String, in looks: [Look], to output: PictureOutput) throws {
    let cap = PixelSize(width: size, height: size)
    let original = try PictureFile.firstFrame(of: Inputs.check(picture), under: cap)
    let columns = original.width > original.height ? 4 : 5
    var sheet = ContactSheet(
      count: looks.count + 1, style: .init(tile: original.size, columns: columns))
    sheet.add(original, label: "original")
    for look in looks {
      let chain = try FilterChain(look.filters, picture: PictureFile.read)
      sheet.add(chain.apply(to: original), label: look.name)
    }
    try output.write(sheet.picture)
  }
}

/// A look as keymill shows it to programs.
private struct LookJSON: Encodable {
  let name: String
  let summary: String
  let filters: [String]

  init(_ look: Look) {
    name = look.name
    summary = look.summary
    filters = look.filters.map(\.name)
  }
}
