/// Distributes the words of a command line over a command's parameters.
struct CommandParser {
  private let parameters: [Parameter]
  private let byName: [ParameterName: Int]
  private var words: ArraySlice<String>
  private var givenCount: [Int]
  private var positionals: [String] = []

  init(_ parameters: [Parameter], _ words: ArraySlice<String>) {
    self.parameters = parameters
    self.words = words
    givenCount = Array(repeating: 0, count: parameters.count)
    var byName: [ParameterName: Int] = [:]
    for (index, parameter) in parameters.enumerated() {
      for name in parameter.names {
        precondition(byName.updateValue(index, forKey: name) == nil, "\(name) is declared twice")
      }
    }
    self.byName = byName
  }

  /// Whether help is asked for, anywhere before `--`.
  var asksForHelp: Bool {
    words.prefix { $0 != "--" }.contains { word in
      word == "--help" || (word == "-h" && byName[.short("h")] == nil)
    }
  }

  /// Fills in all parameters.
  mutating func parse() throws {
    while let word = words.popFirst() {
      if word == "--" {
        positionals += words
        words = []
      } else if word.hasPrefix("--") {
        try parseLong(word.dropFirst(2))
      } else if word.hasPrefix("-"), word != "-", !isNegativeNumber(word) {
        try parseShort(word.dropFirst())
      } else {
        positionals.append(word)
      }
    }
    try assignPositionals()
    try checkRequired()
  }

  private func isNegativeNumber(_ word: String) -> Bool {
    Double(argument: word) != nil && byName[.short(word.dropFirst().first ?? "-")] == nil
  }
}

// MARK: - Options

extension CommandParser {
  /// `name` or `name=value`.
  private mutating func parseLong(_ text: Substring) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = ParameterName.long(String(parts[0]))
    guard let index = byName[name] else { throw unknown(name) }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    guard parameters[index].kind == .option else {
      if let attached { throw UsageError("\(name) takes no value, but has '\(attached)'") }
      return try give("", to: index, as: name)
    }
    try give(attached ?? takeValue(of: name), to: index, as: name)
  }

  /// One flag, several flags, or flags and an option with its value attached or following.
  private mutating func parseShort(_ text: Substring) throws {
    var rest = text
    while let character = rest.popFirst() {
      let name = ParameterName.short(character)
      guard let index = byName[name] else { throw unknown(name, in: text) }
      guard parameters[index].kind == .option else {
        try give("", to: index, as: name)
        continue
      }
      let attached = rest.hasPrefix("=") ? rest.dropFirst() : rest
      return try give(
        rest.isEmpty ? takeValue(of: name) : String(attached), to: index, as: name)
    }
  }

  /// The next word, whatever it is, unless it is plainly an option of this command.
  private mutating func takeValue(of name: ParameterName) throws -> String {
    guard let word = words.first, word != "--", !isOwnOption(word) else {
      throw UsageError("\(name) needs a value")
    }
    words = words.dropFirst()
    return word
  }

  private func isOwnOption(_ word: String) -> Bool {
    byName.keys.contains { name in
      word == name.description || (!name.isShort && word.hasPrefix("\(name)="))
    }
  }

  private func unknown(_ name: ParameterName, in cluster: Substring = "") -> UsageError {
    let shown = parameters.filter { !$0.traits.isHidden }.flatMap(\.names)
    let long = shown.filter { !$0.isShort }.map(\.description)
    guard name.isShort else {
      return UsageError(unknown: "option", "\(name)", among: long + ["--help"])
    }
    // `-json` is more likely a long name with one hyphen than four flags.
    let meant = "--\(cluster)"
    return UsageError(
      "unknown option '\(cluster.count > 1 ? "-\(cluster)" : "\(name)")'",
      suggestion: cluster.count > 1 ? Suggestion.nearest(to: meant, among: long) : nil)
  }

  private mutating func give(_ value: String, to index: Int, as name: ParameterName) throws {
    try accept(value, index, name.description)
  }

  private mutating func accept(_ value: String, _ index: Int, _ name: String) throws {
    givenCount[index] += 1
    do {
      try parameters[index].accept(value)
    } catch let error as UsageError {
      throw UsageError("\(name): \(error.message)", suggestion: error.suggestion)
    } catch {
      throw UsageError("\(name): \(error)")
    }
  }
}

// MARK: - Arguments

extension CommandParser {
  private mutating func assignPositionals() throws {
    var rest = positionals[...]
    for (index, parameter) in parameters.enumerated() where parameter.kind == .argument {
      let taken = parameter.traits.isRepeating ? rest : rest.prefix(1)
      rest = rest.dropFirst(taken.count)
      for value in taken { try accept(value, index, parameter.displayName) }
    }
    guard let first = rest.first else { return }
    throw UsageError("unexpected argument '\(first)'")
  }

  private func checkRequired() throws {
    for (index, parameter) in parameters.enumerated()
    where parameter.traits.isRequired && givenCount[index] == 0 {
      let kind = parameter.kind == .argument ? "argument" : "option"
      throw UsageError("missing \(kind) \(parameter.displayName)")
    }
  }
}
