import Commands
import Testing

@Suite("Help")
struct HelpTests {
  private func help(_ words: String..., columns: Int = 80) throws -> String {
    let tree = CommandTree(Mill.self, columns: columns) { "" }
    guard case .help(let text) = try tree.parse(words) else { throw UsageError("no help") }
    return text
  }

  @Test func `a command's page shows usage, arguments, options and examples`() throws {
    #expect(
      try help("submit", "--help")
        == """
        mill submit: put jobs into the queue

        USAGE: mill submit [options] <recipe> <input>...

        Each input becomes one job. The jobs are in the queue for good when the command
        returns: a loss of power does not take them away.

          done   100
          other  75

        ARGUMENTS:
          <recipe>            What to make.
          <input>             What to make it from.

        OPTIONS:
          -o, --output <dir>  Where outputs go. (default: out)
              --priority <n>  Higher goes first. (default: 0)
          -i, --in <time>     Wait this long. (default: 0s)
              --after <id>    Wait for these jobs. (may be repeated)
              --matte <kind>  Which matte. (values: png, mask, webm; default: png)
              --size <WxH>    A size.
          -w, --wait          Follow the jobs to the end.
          -q, --quiet         Say nothing.
              --db <file>     The queue's file.
              --json          Print JSON.
          -h, --help          Show this help.

        EXAMPLES:
          mill submit jobs/sprite.json clip.mp4
              One clip.
          mill submit --in 10m jobs/audio.json *.mp3
              All songs, in ten minutes.

        """)
  }

  @Test func `the program's page lists the commands by section without the hidden ones`() throws {
    #expect(
      try help("--help") == """
        mill: turns media into assets

        USAGE: mill <command>

        QUEUE:
          submit  put jobs into the queue
          work    run the pool

        CACHE:
          cache   look after cached audio

        Run 'mill help <command>' for one of them.

        EXAMPLES:
          mill submit r.json clip.mp4
              One clip.

        """)
  }

  @Test(arguments: [
    ["submit", "--help"], ["submit", "-h"], ["help", "submit"], ["submit", "r", "--bad", "--help"],
    ["help", "submit", "more"],
  ])
  func `help of a command is found in every usual way`(words: [String]) throws {
    guard case .help(let text) = try mill.parse(words) else { throw UsageError("no help") }
    #expect(text.hasPrefix("mill submit: "))
  }

  @Test(arguments: [["-h"], ["help"], ["help", "--help"]])
  func `help of the program is found in every usual way`(words: [String]) throws {
    guard case .help(let text) = try mill.parse(words) else { throw UsageError("no help") }
    #expect(text.hasPrefix("mill: "))
  }

  @Test func `help of a nested command names the way to it`() throws {
    #expect(
      try help("help", "cache", "list").contains("USAGE: mill cache list [options] [<keys>...]"))
    #expect(
      try help("cache", "--help").contains("Run 'mill help cache <command>' for one of them."))
  }

  @Test func `a required option stands in the usage`() throws {
    #expect(
      try help("help", "work").contains(
        "USAGE: mill work --processes <n> [options] [<place>] [<level>]"))
  }

  @Test func `help of an unknown command is a usage error`() {
    #expect(complaint("help", "wrok")?.suggestion == "work")
  }

  @Test(arguments: [40, 60, 80, 100])
  func `no line but an example is wider than asked`(columns: Int) throws {
    let page = try help("submit", "--help", columns: columns)
    let examples = Set(Submit.examples.map { "  " + $0.line })
    for line in page.split(separator: "\n") where !examples.contains(String(line)) {
      #expect(line.count <= columns)
    }
  }
}

@Suite("CommandTree")
struct CommandTreeTests {
  private func run(_ words: String...) -> (code: ExitCode, out: String, err: String) {
    var (out, err) = ("", "")
    let output = CommandOutput(result: { out += $0 }, message: { err += $0 })
    let code = mill.run(words, output: output) { error in
      err += "handled: \(error)"
      return .io
    }
    return (code, out, err)
  }

  @Test func `a command that returns exits with 0 and prints nothing itself`() {
    let result = run("submit", "r", "a")
    #expect(result == (.success, "", ""))
  }

  @Test func `help and version go to the result`() {
    #expect(run("--version") == (.success, "mill 1.0\n", ""))
    let help = run("help", "work")
    #expect(help.code == .success && help.out.contains("USAGE: mill work") && help.err.isEmpty)
  }

  @Test func `a usage error goes to the messages and exits with 64`() {
    let result = run("work", "--proceses", "2")
    #expect(result.code.rawValue == 64)
    #expect(result.out.isEmpty)
    #expect(
      result.err == """
        mill: unknown option '--proceses'
        Did you mean '--processes'?
        Usage: mill work --processes <n> [options] [<place>] [<level>]

        """)
  }

  @Test func `an exit code thrown by a command is silent`() {
    #expect(run("submit", "exit", "a") == (.failure, "", ""))
  }

  @Test func `a usage error found while running exits with 64`() {
    #expect(run("submit", "usage", "a") == (.usage, "", "mill: found late\n"))
  }

  @Test func `other errors are worded by the caller`() {
    #expect(run("submit", "throw", "a") == (.io, "", "handled: no such thing"))
  }
}

@Suite("Suggestion")
struct SuggestionTests {
  @Test(arguments: [
    ("thresold", "threshold"), ("treshhold", "threshold"), ("Smoothing", "smoothing"),
    ("dsepill", "despill"), ("colour", "color"), ("thresh", "threshold"), ("chok", "choke"),
  ])
  func `a misspelt word finds the right one`(word: String, right: String) {
    let known = ["color", "threshold", "smoothing", "despill", "choke"]
    #expect(Suggestion.nearest(to: word, among: known) == right)
  }

  @Test(arguments: ["", "x", "zzzzzz", "colored-background", "a b c"])
  func `a word unlike any finds none`(word: String) {
    let known = ["color", "threshold", "smoothing"]
    #expect(Suggestion.nearest(to: word, among: known) == nil)
  }

  @Test func `the nearer of two wins, and the first of equals`() {
    #expect(Suggestion.nearest(to: "listt", among: ["lifts", "list"]) == "list")
    #expect(Suggestion.nearest(to: "bat", among: ["cat", "hat"]) == "cat")
    #expect(Suggestion.nearest(to: "wor", among: ["workers", "work"]) == "work")
    #expect(Suggestion.nearest(to: "list", among: []) == nil)
  }
}
