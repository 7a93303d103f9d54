/// The help of one command or group.
struct HelpPage {
  private let path: [any CommandInfo.Type]
  private let info: any CommandInfo.Type
  private let parameters: [Parameter]
  private let layout: TextLayout

  /// Describes the last command of `path`; the others lead to it.
  init(_ path: [any CommandInfo.Type], columns: Int) {
    guard let info = path.last else { preconditionFailure("help needs a command") }
    self.path = path
    self.info = info
    parameters = (info as? any Command.Type).map { Parameter.all(of: $0.init()) } ?? []
    // Wider lines are hard to read, narrower ones leave no room for the explanations.
    layout = TextLayout(columns: min(max(columns, 40), 100))
  }

  /// The call in one line.
  var usage: String {
    var words = path.map { $0.name }
    guard info is any Command.Type else {
      return (words + ["<command>"]).joined(separator: " ")
    }
    words += parameters.filter { $0.kind == .option && $0.traits.isRequired }.map {
      "\($0.displayName) <\($0.valueName)>"
    }
    words.append("[options]")
    words += parameters.filter { $0.kind == .argument }.map(argumentUsage)
    return words.joined(separator: " ")
  }

  /// The whole page, ending with a line break.
  var text: String {
    let head = "\(path.map { $0.name }.joined(separator: " ")): \(info.summary)"
    let usage = layout.paragraph("USAGE: " + usage, hanging: 7)
    let paragraphs = info.discussion.split(separator: "\n\n").map { paragraph in
      // What is indented is a table or an example and stays as it is.
      paragraph.hasPrefix(" ") ? String(paragraph) : layout.paragraph(String(paragraph))
    }
    let body = (info as? any CommandGroup.Type).map(commandSections) ?? parameterSections
    return ([layout.paragraph(head), usage] + paragraphs + body + examples)
      .joined(separator: "\n\n") + "\n"
  }

  private func argumentUsage(_ parameter: Parameter) -> String {
    let name = parameter.displayName + (parameter.traits.isRepeating ? "..." : "")
    return parameter.traits.isRequired ? name : "[\(name)]"
  }

  private func commandSections(_ group: any CommandGroup.Type) -> [String] {
    let sections = group.sections.map { section in
      (section.title, section.commands.filter { !$0.isHidden }.map { ($0.name, $0.summary) })
    }
    let shown = sections.filter { !$0.1.isEmpty }
    let width = layout.termWidth(shown.flatMap(\.1))
    let more = "Run '\(root) help\(words) <command>' for one of them."
    return shown.map { layout.section($0, $1, termWidth: width) } + [more]
  }

  private var root: String { path.first?.name ?? "" }
  private var words: String { path.dropFirst().map { " " + $0.name }.joined() }

  private var parameterSections: [String] {
    let shown = parameters.filter { !$0.traits.isHidden }
    let arguments = shown.filter { $0.kind == .argument }.map { ($0.displayName, explanation($0)) }
    let options = shown.filter { $0.kind != .argument }.map { (term($0), explanation($0)) }
    let all = options + [("-h, --help", "Show this help.")]
    let width = layout.termWidth(arguments + all)
    let sections = [("Arguments", arguments), ("Options", all)].filter { !$0.1.isEmpty }
    return sections.map { layout.section($0, $1, termWidth: width) }
  }

  private func term(_ parameter: Parameter) -> String {
    let names = parameter.names.map(\.description).joined(separator: ", ")
    let indent = parameter.names.contains(where: \.isShort) ? "" : "    "
    return indent + names + (parameter.kind == .option ? " <\(parameter.valueName)>" : "")
  }

  private func explanation(_ parameter: Parameter) -> String {
    let traits = parameter.traits
    var notes: [String] = []
    if !traits.allowedValues.isEmpty {
      notes.append("values: " + traits.allowedValues.joined(separator: ", "))
    }
    if let text = traits.defaultText, !text.isEmpty { notes.append("default: \(text)") }
    if traits.isRepeating, parameter.kind == .option { notes.append("may be repeated") }
    if traits.isRequired, parameter.kind == .option { notes.append("required") }
    return notes.isEmpty ? traits.help : "\(traits.help) (\(notes.joined(separator: "; ")))"
  }

  private var examples: [String] {
    guard !info.examples.isEmpty else { return [] }
    let lines = info.examples.flatMap { example in
      // A command line is never broken: it is there to be copied.
      ["  \(example.line)", layout.paragraph(example.explanation, indent: 6)]
    }
    return ["EXAMPLES:\n" + lines.joined(separator: "\n")]
  }
}
