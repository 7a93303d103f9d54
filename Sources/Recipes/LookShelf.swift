import Platform

/// The folders in which looks are found, the first that has a look of a name winning.
public struct LookShelf: Hashable, Sendable {
  /// The folders, with a slash at the end.
  private let folders: [String]

  /// The looks of a folder.
  public init(folder: String) {
    folders = [folder.hasSuffix("/") ? folder : folder + "/"]
  }

  /// The looks that are beside recipes of a folder, in `looks/`, and those that came with keymill.
  ///
  /// - Parameter folder: Ends in a slash, or is empty for the working directory.
  public init(besideRecipesIn folder: String) {
    folders = ["\(folder)looks/"] + Self.shippedFolders
  }

  /// The looks that came with keymill.
  public static let shipped = LookShelf(folders: shippedFolders)

  private init(folders: [String]) { self.folders = folders }

  /// Where the looks that came with the program are: beside its `bin` in `share`, and for one that was
  /// built in a checkout and not installed in the checkout.
  private static let shippedFolders: [String] = {
    guard let program = try? Executable.path else { return [] }
    let prefix = Files.parent(of: Files.parent(of: program))
    let installed = "\(prefix)/share/keymill/jobs/looks/"
    let parts = program.split(separator: "/", omittingEmptySubsequences: false)
    guard let build = parts.firstIndex(of: ".build") else { return [installed] }
    return [installed, parts[..<build].joined(separator: "/") + "/jobs/looks/"]
  }()

  /// The names of all looks, in alphabetical order.
  public var names: [String] {
    let files = folders.flatMap { (try? Files.list($0)) ?? [] }
    let names = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    return Set(names).sorted()
  }

  /// The look of a name; `nil` where there is none.
  ///
  /// - Throws: `RecipeError` about the look's file.
  public func look(named name: String) throws(RecipeError) -> Look? {
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
    for folder in folders {
      let path = "\(folder)\(name).json"
      if (try? FileStatus(path)) != nil { return try Look(contentsOfFile: path) }
    }
    return nil
  }
}
