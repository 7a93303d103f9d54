import Foundation
import Testing

@testable import Media

@Suite struct JSONEmitterTests {
  /// What `write` makes of an object, read back by another hand.
  private func readBack(_ write: (inout JSONEmitter) -> Void) throws -> [String: Any] {
    var json = JSONEmitter()
    json.beginObject()
    write(&json)
    json.end()
    let value = try JSONSerialization.jsonObject(with: Data(json.take().utf8))
    return try #require(value as? [String: Any])
  }

  @Test func `a document is indented by two spaces and ends with a line break`() {
    var json = JSONEmitter()
    json.beginObject()
    json.string("name", "a")
    json.beginArray("list")
    json.integer(nil, 1)
    json.integer(nil, 2)
    json.end()
    json.beginObject("short", inline: true)
    json.bool("yes", true)
    json.beginArray("none")
    json.end()
    json.end()
    json.beginObject("empty")
    json.end()
    json.end()
    #expect(
      json.take() == """
        {
          "name": "a",
          "list": [
            1,
            2
          ],
          "short": {"yes": true, "none": []},
          "empty": {}
        }

        """)
  }

  @Test func `taking text in pieces gives the same document`() {
    func document(_ pause: (inout JSONEmitter) -> Void) -> String {
      var json = JSONEmitter()
      json.beginObject()
      json.integer("a", 1)
      pause(&json)
      json.beginArray("b")
      pause(&json)
      json.string(nil, "c")
      json.end()
      json.end()
      return json.take()
    }
    var pieces = ""
    let last = document { pieces += $0.take() }
    #expect(pieces + last == document { _ in })
  }

  @Test(arguments: [
    "", "plain", "\"quoted\" \\ back/slash", "line\nbreak\r\n\ttab",
    "\u{0}\u{1}\u{8}\u{C}\u{1F}\u{7F}",
    "grün 视频 🎬 é e\u{301}", "\u{2028}\u{2029}\u{FEFF}", "</script>",
  ])
  func `any string comes back as it was, as value and as key`(text: String) throws {
    let object = try readBack {
      $0.string("value", text)
      $0.integer(text + "key", 1)
    }
    let value = try #require(object["value"] as? String)
    #expect(Array(value.unicodeScalars) == Array(text.unicodeScalars))
    #expect(object[text + "key"] != nil)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (3, "3"), (-2.5, "-2.5"), (0.1 + 0.2, "0.3"), (1.0 / 3, "0.333333"),
      (1e-7, "0"), (1_796_049_707.110152, "1796049707.110152"), (1e14, "100000000000000"),
    ] as [(Double, String)])
  func `numbers are written to the microsecond`(value: Double, text: String) {
    var json = JSONEmitter()
    json.number(nil, value)
    #expect(json.take() == text)
  }

  @Test(arguments: [1e-6, 1e15, 1.5e300, -4.2e22, .leastNonzeroMagnitude])
  func `numbers of any size are JSON`(value: Double) throws {
    let object = try readBack { $0.number("n", value) }
    let read = try #require(object["n"] as? Double)
    #expect(abs(read - value) <= max(abs(value) * 1e-9, 1e-6))
  }

  @Test func `what is not there is left out, and so is what is no number`() throws {
    let object = try readBack {
      $0.string("string", nil)
      $0.integer("integer", Int?.none)
      $0.number("nothing", nil)
      $0.number("nan", .nan)
      $0.number("infinite", .infinity)
    }
    #expect(object.isEmpty)
  }

  @Test func `JSON that is there already is taken as it is`() throws {
    let object = try readBack { $0.raw("recipe", #"{"a":[1,2]}"#) }
    #expect((object["recipe"] as? [String: [Int]]) == ["a": [1, 2]])
  }
}
