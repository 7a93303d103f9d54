internal import SQLite

extension JobStore {
  /// The output directories right under `directory` that jobs which have not ended will publish, each
  /// with the input that it is made of.
  public func liveOutputs(under directory: String) throws -> [String: String] {
    let prefix = directory.hasSuffix("/") ? directory : directory + "/"
    let pairs: [(output: String, input: String)] = try read {
      try connection.query(
        """
        SELECT output, input FROM job
        WHERE state IN (0, 1, 2, 3) AND substr(output, 1, length(?)) = ?
        """, prefix, prefix
      ) { row in (row[0], row[1]) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}
