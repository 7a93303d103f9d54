internal import Glibc

extension Recipe {
  /// Reads a recipe file.
  ///
  /// Paths in it are relative to its folder, and made absolute, so that the recipe means the same
  /// wherever a job of it runs.
  ///
  /// - Parameter path: The file's path, which errors begin with as it is given here.
  /// - Throws: `RecipeError`: of kind `unreadable` when there is no such file or it cannot be read,
  ///   of kind `invalid` at the first fault in it.
  public init(contentsOfFile path: String) throws(RecipeError) {
    let json = try readDocument(path)
    try self.init(json: json, name: path, folder: absoluteFolder(ofFileAt: path))
  }
}

/// The absolute path of the folder that a file is in, with a slash at its end.
func absoluteFolder(ofFileAt path: String) -> String {
  let folder = path.lastIndex(of: "/").map { String(path[...$0]) }
  if let folder, path.hasPrefix("/") { return folder }
  guard let buffer = unsafe getcwd(nil, 0) else { return folder ?? "" }
  defer { unsafe free(buffer) }
  let current = unsafe String(cString: buffer)
  return folder.map { "\(current)/\($0)" } ?? "\(current)/"
}
