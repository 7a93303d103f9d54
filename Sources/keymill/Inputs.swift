import Commands
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
}

/// Inputs as they are named on the command line.
enum Inputs {
  /// The absolute path of an input that is there and is a file.
  static func check(_ path: String) throws -> String {
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
      let reason = error.isNotFound ? "no such file" : "\(error.code)"
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

  /// Reads and checks a recipe file.
  init(_ path: String) throws {
    recipe = try Recipe(contentsOfFile: path)
    name = OutputPlace.stem(of: path)
  }
}
