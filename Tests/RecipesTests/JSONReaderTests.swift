import Testing

@testable import Recipes

@Suite struct JSONReaderTests {
  @Test func `every value knows the line and column where it begins`() throws {
    let text = "{\n  \"é\": [1,\ttrue],\n  \"b\": \"x\"\n}"
    let source = try SourceText(name: "t", bytes: Array(text.utf8))
    guard case .object(let members) = try JSONReader.read(source).value else {
      Issue.record("the document is an object")
      return
    }
    #expect(members.map { source.position(of: $0.nameOffset).description } == ["2:3", "3:3"])
    #expect(members.map { source.position(of: $0.node.offset).description } == ["2:8", "3:8"])
    guard case .list(let elements) = members[0].node.value else {
      Issue.record("the first value is a list")
      return
    }
    #expect(elements.map { source.position(of: $0.offset).description } == ["2:9", "2:12"])
  }

  @Test(arguments: [
    Fault("", "r.json:1:1: the document is empty"),
    Fault(" \n", "r.json:2:1: the document is empty"),
    Fault("{\"audio\": {},}", "r.json:1:13: trailing comma; JSON allows none before \"}\""),
    Fault(
      "{\"key\": {\"formats\": [\"png\",\n]}}",
      "r.json:1:27: key.formats: trailing comma; JSON allows none before \"]\""),
    Fault("{audio: {}}", "r.json:1:2: a field's name needs double quotes: \"audio\""),
    Fault("{'audio': {}}", "r.json:1:2: a field's name needs double quotes: \"'audio'\""),
    Fault(
      "{\"key\": {\"color\": magenta}}",
      "r.json:1:19: key.color: magenta needs double quotes: \"magenta\""),
    Fault(
      "{\"stills\": {\"at\": [10%]}}", "r.json:1:20: stills.at[0]: 10% needs double quotes: \"10%\""
    ),
    Fault(
      "{\"key\": {\"color\": 'red'}}",
      "r.json:1:19: key.color: JSON takes double quotes, not single ones"),
    Fault(
      "{\"key\": {\"color\": \"red}}\n",
      "r.json:1:19: key.color: this text has no closing double quote on its line"),
    Fault(
      "{\"key\": {\"color\": \"red",
      "r.json:1:19: key.color: this text has no closing double quote"),
    Fault("{\"key\": {}\n \"audio\": {}}", "r.json:1:11: missing comma"),
    Fault("{\"key\" {}}", "r.json:1:8: expected \":\" after \"key\""),
    Fault("{\"key\": }", "r.json:1:9: key: a value is missing here"),
    Fault("{\"key\":", "r.json:1:8: key: a value is missing at the end"),
    Fault("{\"key\": {", "r.json:1:9: key: this \"{\" is never closed"),
    Fault(
      "{\"key\": {\"formats\": [\"png\"", "r.json:1:21: key.formats: this \"[\" is never closed"),
    Fault("{\"key\": {]}", "r.json:1:10: key: expected a field's name in double quotes"),
    Fault("{\"key\": {}]", "r.json:1:11: expected \"}\" here"),
    Fault("{\"audio\": {}} x", "r.json:1:15: there is more text after the end of the document"),
    Fault("{ // all\n}", "r.json:1:3: JSON has no comments; take this one out"),
    Fault("{ # all\n}", "r.json:1:3: JSON has no comments; take this one out"),
    Fault("{\"key\": {\"unmix\": True}}", "r.json:1:19: key.unmix: write true in lower case"),
    Fault("{\"key\": {\"fps\": None}}", "r.json:1:17: key.fps: JSON writes this as null"),
    Fault(
      "{\"key\": {\"choke\": .5}}",
      "r.json:1:19: key.choke: .5 is not a number as JSON writes them, such as 12, -3, 0.5 or 1e-3"),
    Fault(
      "{\"key\": {\"choke\": 05}}",
      "r.json:1:19: key.choke: 05 is not a number as JSON writes them, such as 12, -3, 0.5 or 1e-3"),
    Fault("{\"key\": {\"fps\": 1e999}}", "r.json:1:17: key.fps: 1e999 is too large a number"),
    Fault(
      "{\"key\": {},\n \"audio\": {},\n \"key\": {}}",
      "r.json:3:2: key: given twice, first on line 1"),
    Fault("{\"a\\q\": 1}", "r.json:1:4: no such escape in JSON; write a backslash as \\\\"),
    Fault("{\"\\ud83d\": 1}", "r.json:1:3: half of a surrogate pair"),
    Fault("{\"\\u12g4\": 1}", "r.json:1:3: \\u takes four hexadecimal digits"),
    Fault(
      "{\"a\tb\": 1}", "r.json:1:4: a control character in text; write it as an escape, such as \\t"
    ),
  ])
  func `a slip is told where it is and how to mend it`(fault: Fault) {
    #expect(report(on: fault.json) == fault.report)
  }

  @Test(arguments: ["0", "-0", "10", "0.5", "-3.25", "1e3", "1E+3", "1.5e-3"])
  func `a number of the JSON grammar is read`(word: String) throws {
    let source = try SourceText(name: "t", bytes: Array(word.utf8))
    guard case .number(let number) = try JSONReader.read(source).value else {
      Issue.record("\(word) is a number")
      return
    }
    #expect(number == Double(word))
  }

  @Test(arguments: ["00", "01", "1.", ".1", "+1", "--1", "1e", "1e+", "0x10", "1_000", "NaN"])
  func `a number outside the JSON grammar is refused`(word: String) throws {
    let source = try SourceText(name: "t", bytes: Array(word.utf8))
    #expect(throws: RecipeError.self) { try JSONReader.read(source) }
  }

  @Test func `escapes are read as what they stand for`() throws {
    let source = try SourceText(
      name: "t", bytes: Array(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#.utf8))
    guard case .text(let text) = try JSONReader.read(source).value else {
      Issue.record("the document is text")
      return
    }
    #expect(text == "\"\\/\u{08}\u{0C}\n\r\té😀é")
  }

  @Test func `nesting is bounded`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(report(on: deep).hasSuffix("nested more than 32 levels deep"))
  }

  @Test func `a byte order mark is passed over and counts for no column`() throws {
    #expect(
      try Recipe(json: [0xEF, 0xBB, 0xBF] + Array("{\"audio\":{}}".utf8), name: "r").audio != nil)
    let error = #expect(throws: RecipeError.self) {
      try Recipe(json: [0xEF, 0xBB, 0xBF] + Array("x".utf8), name: "r")
    }
    #expect(error?.position == SourcePosition(line: 1, column: 1))
  }

  @Test func `text that is not UTF-8 is refused at the first wrong byte`() {
    let error = #expect(throws: RecipeError.self) {
      try Recipe(json: Array("{\n\"".utf8) + [0xFF, 0x22, 0x7D], name: "r.json")
    }
    #expect(error?.description == "r.json:2:2: the text is not UTF-8 here")
    let utf16 = #expect(throws: RecipeError.self) {
      try Recipe(json: [0xFF, 0xFE, 0x7B, 0x00], name: "r.json")
    }
    #expect(utf16?.description == "r.json: the text is UTF-16; save it as UTF-8")
  }

  @Test func `a document of a mebibyte is read and a larger one is refused`() throws {
    let recipe = Array("{\"audio\":{}}".utf8)
    let padding = [UInt8](repeating: 0x20, count: (1 << 20) - recipe.count)
    #expect(try Recipe(json: recipe + padding, name: "r").audio != nil)
    let error = #expect(throws: RecipeError.self) {
      try Recipe(json: recipe + padding + [0x20], name: "r.json")
    }
    #expect(error?.description == "r.json: too large for a recipe (over 1 MiB)")
  }

  @Test func `an error stays on one line whatever the document holds`() {
    let name = String(repeating: "n", count: 500)
    let shown = report(on: "{\"\\u001b[31m\\n\(name)\": 1}")
    #expect(!shown.contains { $0.isNewline || $0 == "\u{1B}" })
    #expect(shown.count < 400)
  }
}
