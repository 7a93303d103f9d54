/// A program's commands: finds the one that a command line calls, fills it in, and runs it.
///
/// Knows `--help` and `-h` of each command, `help COMMAND`, and `--version`.
public struct CommandTree: Sendable {
  /// What a command line asks for.
  public enum Invocation {
    /// A command, filled in and validated.
    case command(any Command)
    /// The text of a help page.
    case help(String)
    /// What version it is.
    case version
  }

  /// The program itself.
  public let root: any CommandGroup.Type
  /// How many characters fit in a line of help.
  public let columns: Int
  private let version: @Sendable () -> String

  /// Makes a tree; `version` is called only when it is asked for.
  public init(
    _ root: any CommandGroup.Type, columns: Int = 80,
    version: @escaping @Sendable () -> String
  ) {
    self.root = root
    self.columns = columns
    self.version = version
  }

  /// Finds and fills in a command without running it; `arguments` follow the program's name.
  ///
  /// - Throws: `UsageError` with the usage of the command it was said to.
  public func parse(_ arguments: [String]) throws -> Invocation {
    var path: [any CommandInfo.Type] = [root]
    var words = arguments[...]
    while let group = path.last as? any CommandGroup.Type {
      guard let word = words.popFirst() else { throw missingCommand(path, group) }
      switch word {
      case "--help", "-h": return .help(help(path))
      case "help" where path.count == 1: return .help(help(try find(words)))
      case "--version" where path.count == 1: return .version
      default: path.append(try child(word, of: group, path))
      }
    }
    guard let command = path.last as? any Command.Type else {
      preconditionFailure("\(path.map { $0.name }) is neither a command nor a group")
    }
    return try fill(command, path, words)
  }

  /// Does what a command line asks for and says what the shell is to see.
  ///
  /// Help and what is wrong with the command line go to `output`. `onError` words an error that a
  /// command threw and says the exit code.
  public func run(
    _ arguments: [String], output: CommandOutput = .standard,
    onError: (any Error) -> ExitCode
  ) -> ExitCode {
    do {
      switch try parse(arguments) {
      case .help(let text): output.result(text)
      case .version: output.result(version() + "\n")
      case .command(var command): try command.run()
      }
      return .success
    } catch let error as UsageError {
      output.message("\(root.name): \(error)\n")
      return .usage
    } catch let code as ExitCode {
      return code
    } catch {
      return onError(error)
    }
  }
}

extension CommandTree {
  private func fill(
    _ type: any Command.Type, _ path: [any CommandInfo.Type], _ words: ArraySlice<String>
  ) throws -> Invocation {
    var command = type.init()
    let parameters = Parameter.all(of: command)
    var parser = CommandParser(parameters, words)
    if parser.asksForHelp { return .help(help(path)) }
    do {
      try parser.parse()
      try Parameter.validateGroups(of: command)
      try command.validate()
    } catch let error as UsageError {
      throw error.with(usage: HelpPage(path, columns: columns).usage)
    }
    return .command(command)
  }

  private func child(
    _ word: String, of group: any CommandGroup.Type, _ path: [any CommandInfo.Type]
  ) throws -> any CommandInfo.Type {
    let commands = group.sections.flatMap(\.commands)
    if let found = commands.first(where: { $0.name == word }) { return found }
    let usage = HelpPage(path, columns: columns).usage
    guard !word.hasPrefix("-") else {
      throw UsageError("option '\(word)' before a command: options follow the command they are for")
        .with(usage: usage)
    }
    var known = commands.filter { !$0.isHidden }.map { $0.name }
    if path.count == 1 { known.append("help") }
    throw UsageError(unknown: "command", word, among: known).with(usage: usage)
  }

  private func missingCommand(
    _ path: [any CommandInfo.Type], _ group: any CommandGroup.Type
  ) -> UsageError {
    let names = group.sections.flatMap(\.commands).filter { !$0.isHidden }.map { $0.name }
    return UsageError("a command is missing: " + names.joined(separator: ", "))
      .with(usage: HelpPage(path, columns: columns).usage)
  }

  /// The commands that lead to the one that words name.
  private func find(_ words: ArraySlice<String>) throws -> [any CommandInfo.Type] {
    var path: [any CommandInfo.Type] = [root]
    for word in words where word != "--help" && word != "-h" {
      guard let group = path.last as? any CommandGroup.Type else { break }
      path.append(try child(word, of: group, path))
    }
    return path
  }

  private func help(_ path: [any CommandInfo.Type]) -> String {
    HelpPage(path, columns: columns).text
  }
}
