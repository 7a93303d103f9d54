internal import Platform

/// Which names in the watched directory are never taken, whatever they hold.
struct DropRules {
  /// How browsers, download and copy programs and editors name what is not finished, or a backup.
  static let unfinishedSuffixes = [
    ".part", ".partial", ".filepart", ".crdownload", ".download", ".opdownload", ".aria2", ".!ut",
    ".!qb", ".tmp", ".temp", "~",
  ]

  private let excluded: Set<FileName>

  /// Leaves alone those of `paths` that lie in `directory`.
  init(directory: FileStatus, excluding paths: [String]) {
    let inside = paths.filter { path in
      (try? FileStatus(Files.parent(of: path)))?.isSameFile(as: directory) ?? false
    }
    excluded = Set(inside.map { FileName(Files.name(of: $0)) })
  }

  /// Why a name is not taken; nil when what it stands for decides.
  func refusal(of name: FileName) -> IgnoreReason? {
    if name.text.utf8.first == UInt8(ascii: ".") { return .hidden }
    if excluded.contains(name) { return .excluded }
    let lowercased = name.text.lowercased()
    return Self.unfinishedSuffixes.contains { lowercased.hasSuffix($0) } ? .unfinished : nil
  }

  /// Why a kind of thing is not taken.
  func refusal(of kind: FileStatus.Kind) -> IgnoreReason? {
    switch kind {
    case .file: nil
    case .directory: .directory
    case .symbolicLink, .fifo, .other: .notAFile
    }
  }
}
