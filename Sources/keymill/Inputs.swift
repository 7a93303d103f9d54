import Commands
import Fetch
import JobQueue
import Platform
import Recipes
import Worker

/// An input that cannot be taken, found before any work begins.
struct InputError: Error, CustomStringConvertible {
  /// What is wrong, the path first.
  let description: String
  /// What the command ends with.
  let exitCode: ExitCode

  /// A URL of a scheme that nothing is fetched by.
  static func notFetched(_ url: String, _ scheme: String) -> InputError {
    InputError(
      description: "\(url): \(scheme) is not fetched, only http and https", exitCode: .badData)
  }
}

/// Inputs as they are named on the command line.
enum Inputs {
  /// An input as the queue keeps it: a URL as it is, or the absolute path of a file that is there.
  static func check(_ input: String) throws -> String {
    try checkURL(input) ? input : checkFile(input)
  }

  /// An input as the queue keeps it, which need not be there yet.
  static func checkLater(_ input: String) throws -> String {
    try checkURL(input) ? input : Files.absolutePath(input)
  }

  /// Whether an input is a URL, which can then be fetched as far as it shows.
  private static func checkURL(_ input: String) throws -> Bool {
    let name = InputName(input)
    if name.isURL {
      try FetchRequest.check(url: input)
    } else if let scheme = InputName.scheme(of: input), (try? FileStatus(input)) == nil {
      throw InputError.notFetched(input, scheme)
    }
    return name.isURL
  }

  /// The absolute path of an input that is there and is a file.
  static func checkFile(_ path: String) throws -> String {
    do {
      let status = try FileStatus(path)
      guard status.kind != .directory else {
        throw InputError(
          description: "\(path): is a directory; name the files in it", exitCode: .noInput)
      }
      guard status.kind == .file else {
        throw InputError(description: "\(path): is not a regular file", exitCode: .noInput)
      }
      return try Files.absolutePath(path)
    } catch let error as PlatformError {
      let isRepaired = path.unicodeScalars.contains("\u{FFFD}")
      let reason =
        error.isNotFound && isRepaired
        ? "no such file; a name that is not UTF-8 has to be changed first"
        : error.isNotFound ? "no such file" : "\(error.code)"
      throw InputError(description: "\(path): \(reason)", exitCode: .noInput)
    }
  }
}

/// A recipe file as a job carries it.
struct LoadedRecipe {
  /// The recipe.
  let recipe: Recipe
  /// What people call it: the file's name without its extension.
  let name: String

  /// Reads and checks a recipe file, or one of those that were installed with the program, which go by
  /// their names alone: `sprite` is `share/keymill/jobs/sprite.json` beside the program's `bin`.
  init(_ path: String) throws {
    recipe = try Recipe(contentsOfFile: Self.installed(path) ?? path)
    name = OutputPlace.stem(of: path)
  }

  private static func installed(_ name: String) -> String? {
    guard !name.contains("/"), !name.contains("."), (try? FileStatus(name)) == nil,
      let program = try? Executable.path
    else { return nil }
    let prefix = Files.parent(of: Files.parent(of: program))
    let path = "\(prefix)/share/keymill/jobs/\(name).json"
    return (try? FileStatus(path)) == nil ? nil : path
  }
}
