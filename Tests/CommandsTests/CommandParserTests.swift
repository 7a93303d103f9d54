import Commands
import FoundationEssentials
import Testing

@Suite("CommandParser")
struct CommandParserTests {
  @Test func `what is not given has its default`() throws {
    let submit: Submit = try parse("submit", "r.json", "a.mp4")
    #expect(submit.recipe == "r.json")
    #expect(submit.inputs == ["a.mp4"])
    #expect(submit.output == "out")
    #expect(submit.priority == 0)
    #expect(submit.delay == .zero)
    #expect(submit.after == [])
    #expect(submit.matte == .png)
    #expect(submit.pixelCount == nil)
    #expect(!submit.wait && !submit.quiet && !submit.queue.json)
    #expect(submit.queue.db == nil)
  }

  @Test(arguments: [
    ["--output", "dir"], ["--output=dir"], ["-o", "dir"], ["-odir"], ["-o=dir"], ["-qo", "dir"],
    ["-qwodir"], ["--output", "no", "-o", "dir"],
  ])
  func `an option takes its value in every usual form`(words: [String]) throws {
    for line in [["submit", "r", "a"] + words, ["submit"] + words + ["r", "a"]] {
      guard case .command(let command) = try mill.parse(line) else { throw UsageError("\(line)") }
      let submit = try #require(command as? Submit)
      #expect(submit.output == "dir")
      #expect(submit.inputs == ["a"])
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `two hundred thousand inputs are read in the time of their number`() throws {
    // Copying the list for each would move a third of a terabyte.
    let inputs = (0..<200_000).map { "clip-\($0).mp4" }
    guard case .command(let command) = try mill.parse(["submit", "r"] + inputs) else { return }
    #expect((command as? Submit)?.inputs == inputs)
  }

  @Test func `short flags are given together`() throws {
    let submit: Submit = try parse("submit", "-wq", "r", "a")
    #expect(submit.wait && submit.quiet)
  }

  @Test func `a repeated option gathers its values in order`() throws {
    let submit: Submit = try parse("submit", "r", "--after", "3", "a", "--after=1", "--after", "2")
    #expect(submit.after == [3, 1, 2])
  }

  @Test func `an empty value is a value`() throws {
    let submit: Submit = try parse("submit", "--output=", "", "a")
    #expect(submit.output == "")
    #expect(submit.recipe == "")
  }

  @Test func `after two hyphens everything is an argument`() throws {
    let submit: Submit = try parse("submit", "-q", "--", "r", "-w", "--", "--help")
    #expect(submit.inputs == ["-w", "--", "--help"])
    #expect(submit.quiet && !submit.wait)
  }

  @Test func `names that begin with a hyphen are option values`() throws {
    let submit: Submit = try parse(
      "submit", "-o", "-dir", "--db", "--odd", "--priority", "-5", "r", "-")
    #expect(submit.output == "-dir")
    #expect(submit.queue.db == "--odd")
    #expect(submit.priority == -5)
    #expect(submit.inputs == ["-"])
  }

  @Test func `a negative number is an argument`() throws {
    let submit: Submit = try parse("submit", "r", "-12.5")
    #expect(submit.inputs == ["-12.5"])
  }

  @Test func `arguments that need not be given are filled in order`() throws {
    let none: Work = try parse("work", "--processes", "2")
    #expect(none.place == nil && none.level == 3)
    let both: Work = try parse("work", "here", "--processes", "2", "7")
    #expect(both.place == "here" && both.level == 7)
  }

  @Test func `nested and hidden commands are found`() throws {
    let list: CacheList = try parse("cache", "list")
    #expect(list.keys == [])
    let _: RunJob = try parse("run-job")
  }

  @Test func `a transform makes the value and its error is shown`() throws {
    let submit: Submit = try parse("submit", "--size", "3x4", "r", "a")
    #expect(submit.pixelCount == 12)
    #expect(complaint("submit", "--size", "3", "r", "a")?.message == "--size: no such thing")
  }

  @Test func `values stay with the command they were parsed for`() throws {
    let first: Submit = try parse("submit", "one", "a")
    let second: Submit = try parse("submit", "two", "b")
    #expect(first.recipe == "one")
    #expect(second.recipe == "two")
  }

  @Test(arguments: Complaint.all)
  func `a wrong command line is told what is wrong and what was meant`(expected: Complaint) {
    let error = #expect(throws: UsageError.self) {
      try mill.parse(expected.line.split(separator: " ").map(String.init))
    }
    #expect(error?.message == expected.message)
    #expect(error?.suggestion == expected.suggestion)
    #expect(error?.usage?.hasPrefix("mill ") == true)
  }
}

/// A command line, what is wrong with it, and what was meant.
struct Complaint: Sendable, CustomTestStringConvertible {
  let line: String
  let message: String
  let suggestion: String?

  init(_ line: String, _ message: String, meant suggestion: String? = nil) {
    self.line = line
    self.message = message
    self.suggestion = suggestion
  }

  var testDescription: String { line }

  static let all: [Complaint] = [
    Complaint("submit", "missing argument <recipe>"),
    Complaint("submit r", "missing argument <input>"),
    Complaint("work", "missing option --processes"),
    Complaint("work --processes 2 a 1 x", "unexpected argument 'x'"),
    Complaint("work --processes two", "--processes: 'two' is not a whole number"),
    Complaint("work --processes", "--processes needs a value"),
    Complaint("submit --output --json r a", "--output needs a value"),
    Complaint("submit -o --db=x r a", "-o needs a value"),
    Complaint("submit r a --output -- b", "--output needs a value"),
    Complaint("submit --wait=yes r a", "--wait takes no value, but has 'yes'"),
    Complaint("submit --prioritty=1 r a", "unknown option '--prioritty'", meant: "--priority"),
    Complaint("submit --xyzzy r a", "unknown option '--xyzzy'"),
    Complaint("submit --fense r a", "unknown option '--fense'"),
    Complaint("submit -json r a", "unknown option '-json'", meant: "--json"),
    Complaint("submit -qx r a", "unknown option '-qx'"),
    Complaint("submit -x r a", "unknown option '-x'"),
    Complaint("submit -inf r a", "-i: 'nf' is not a time like 45s, 10m or 1h30m"),
    Complaint(
      "submit --matte pgn r a", "--matte: 'pgn' is not one of png, mask, webm", meant: "png"),
    Complaint("submit -i soon r a", "-i: 'soon' is not a time like 45s, 10m or 1h30m"),
    Complaint("submit -q --json r a", "--quiet and --json exclude each other"),
    Complaint("submit --db= r a", "--db is empty"),
    Complaint("sbumit r a", "unknown command 'sbumit'", meant: "submit"),
    Complaint("sub", "unknown command 'sub'", meant: "submit"),
    Complaint("run-jib", "unknown command 'run-jib'"),
    Complaint("cache lost", "unknown command 'lost'", meant: "list"),
    Complaint("cache", "a command is missing: list"),
    Complaint("", "a command is missing: submit, work, cache"),
    Complaint(
      "--json list", "option '--json' before a command: options follow the command they are for"),
  ]
}

@Suite("ExpressibleByArgument")
struct ExpressibleByArgumentTests {
  @Test(arguments: [
    ("10m", Duration.seconds(600)), ("1h30m", .seconds(5_400)), ("45s", .seconds(45)),
    ("500ms", .milliseconds(500)), ("2d", .seconds(172_800)), ("1.5h", .seconds(5_400)),
    ("90", .seconds(90)), ("0.25", .milliseconds(250)), ("0", .zero),
    ("1d1h1m1s1ms", .milliseconds(90_061_001)),
  ])
  func `a duration is read`(text: String, duration: Duration) {
    #expect(Duration(argument: text) == duration)
  }

  @Test(arguments: [
    "", "m", "10x", "1m1h", "1m1m", "-1", "-5s", "10 m", "1h30", "nan", "inf", "1e300", "1..5s",
    "٣s",
  ])
  func `what is no duration is refused`(text: String) {
    #expect(Duration(argument: text) == nil)
  }

  @Test(arguments: ["0s", "1ms", "45s", "1m30s", "1h", "1d2h3m4s5ms"])
  func `a duration is shown as it would be written`(text: String) {
    #expect(Duration(argument: text)?.defaultValueDescription == text)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0.0), ("2000-02-29 12:30:15.5Z", 951_827_415.5),
    ("2030-01-31T18:00+01:30", 1_896_107_400), ("1969-12-31T23:59:59z", -1),
    ("2024-12-31T23:59:59-00:00", 1_735_689_599), ("0001-01-01T00:00:00Z", -62_135_596_800),
  ])
  func `a time is read`(text: String, seconds: Double) {
    #expect(Date(argument: text)?.timeIntervalSince1970 == seconds)
  }

  @Test func `a time without a zone is local`() throws {
    let local = try #require(Date(argument: "2030-07-01 12:00"))
    let day = try #require(Date(argument: "2030-07-01"))
    #expect(local.timeIntervalSince(day) == 12 * 3_600)
    let utc = try #require(Date(argument: "2030-07-01T12:00Z"))
    #expect(abs(local.timeIntervalSince(utc)) <= 14 * 3_600)
  }

  @Test(arguments: [
    "", "tomorrow", "2030-02-29", "2030-13-01", "2030-00-01", "2030-01-01T24:00", "2030-1-1",
    "2030-01-01T12", "2030-01-01T12:60", "2030-01-01T12:00+25:00",
  ])
  func `what is no time is refused`(text: String) {
    #expect(Date(argument: text) == nil)
  }
}
