/// What help shows about a command or a group of commands.
public protocol CommandInfo: SendableMetatype {
  /// The word that calls it.
  static var name: String { get }
  /// What it does, in a line without a full stop.
  static var summary: String { get }
  /// More about it, empty by default.
  ///
  /// Empty lines separate paragraphs; one that begins with a space is shown as it is.
  static var discussion: String { get }
  /// Calls to learn from. None by default.
  static var examples: [Example] { get }
  /// Whether help leaves it out. `false` by default.
  static var isHidden: Bool { get }
}

extension CommandInfo {
  /// Nothing more.
  public static var discussion: String { "" }
  /// None.
  public static var examples: [Example] { [] }
  /// Shown.
  public static var isHidden: Bool { false }
}

/// Options and arguments that are declared together with `@Option`, `@Flag` and `@Argument`.
public protocol ParsableArguments {
  /// Makes one with the defaults.
  init()
  /// Checks what was given, after all of it is there.
  /// - Throws: `UsageError` for a combination that makes no sense.
  mutating func validate() throws
}

extension ParsableArguments {
  /// Accepts everything.
  public mutating func validate() throws {}
}

/// A command: its properties are what the command line gives it.
public protocol Command: CommandInfo, ParsableArguments {
  /// Does the work.
  mutating func run() throws
}

/// A command that only chooses among others.
public protocol CommandGroup: CommandInfo {
  /// The commands to choose from, in the order of help.
  static var sections: [CommandSection] { get }
}

/// Commands that help lists under one title.
public struct CommandSection: Sendable {
  /// The title, without a colon.
  public let title: String
  /// The commands and groups, in order.
  public let commands: [any CommandInfo.Type]

  /// Puts commands under a title.
  public init(_ title: String, _ commands: [any CommandInfo.Type]) {
    self.title = title
    self.commands = commands
  }

  /// Puts commands under the title `Commands`, for a group with one section.
  public init(_ commands: [any CommandInfo.Type]) { self.init("Commands", commands) }
}

/// A call of a command to learn from.
public struct Example: Sendable {
  /// The command line as one would type it.
  public let line: String
  /// What it does.
  public let explanation: String

  /// Shows a line and says what it does.
  public init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
