extension Recipe {
  /// Reads a recipe file.
  ///
  /// - Parameter path: The file's path, which errors begin with as it is given here.
  /// - Throws: `RecipeError`: of kind `unreadable` when there is no such file or it cannot be read,
  ///   of kind `invalid` at the first fault in it.
  public init(contentsOfFile path: String) throws(RecipeError) {
    try self.init(json: try readDocument(path), name: path)
  }
}
