import Foundation
import TestSupport
import Testing

/// The commands that the README and the pages of `docs/` show.
@Suite struct ReadmeTests {
  /// README.md and the pages of docs/, by their paths in the repository.
  static let pages: [String] = {
    let docs = Checkout.root.appending(path: "docs").path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: docs)) ?? []
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
  }()

  static let pagesThatRun = pages.filter { page in
    (try? Markdown(page))?.blocks.contains(where: \.isRun) ?? false
  }

  @Test(arguments: pagesThatRun)
  func `each command of a block that is marked runs to its end`(page: String) throws {
    let shell = try Shell()
    defer { shell.cleanUp() }
    for block in try Markdown(page).blocks where block.isRun {
      try #require(!block.commands.isEmpty, "\(page): a marked block without a command")
      for command in block.commands {
        let result = try shell.run(command)
        #expect(result.exitCode == 0, "\(page): \(command)\n\(result.output)")
      }
    }
  }

  @Test func `each keymill command of the readme stands in a block that is run`() throws {
    let commands = try Markdown("README.md").blocks.filter { !$0.isRun }.flatMap(\.commands)
    #expect(commands.filter { $0.contains("keymill ") } == [])
  }

  @Test func `each make target of the readme is one of the makefile`() throws {
    let makefile = try String(
      contentsOf: Checkout.root.appending(path: "Makefile"), encoding: .utf8)
    let targets = makefile.split(separator: "\n").filter { !$0.hasPrefix("\t") }
      .compactMap { $0.firstMatch(of: /^([a-z]+):/)?.output.1 }
    for command in try Markdown("README.md").blocks.flatMap(\.commands) {
      guard let target = command.firstMatch(of: /\bmake ([a-z]+)/)?.output.1 else { continue }
      #expect(targets.contains(target), "\(command)")
    }
  }

  @Test func `each promise of the readme names tests, and each of them is there`() throws {
    let rows = try Markdown("README.md").rows(below: "## What you can rely on")
    #expect(rows.count > 5)
    let tests = try Self.testNames()
    for row in rows {
      let names = (row.last ?? "").matches(of: /`([^`]+)`/).map { String($0.output.1) }
      #expect(!names.isEmpty, "\(row.first ?? "")")
      for name in names { #expect(tests.contains(name), "no test is called \(name)") }
    }
  }

  /// The names of all tests in the sources.
  private static func testNames() throws -> Set<String> {
    let directory = Checkout.root.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
    let sources = try (files?.compactMap { $0 as? URL } ?? [])
      .filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
    return Set(
      sources.flatMap { source in
        source.matches(of: /@Test[^`]*?func `([^`]+)`/).map { String($0.output.1) }
      })
  }

  @Test(arguments: pages)
  func `each link of a page leads to a file`(page: String) throws {
    let directory = Checkout.root.appending(path: page).deletingLastPathComponent()
    for match in try Markdown(page).text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
      let target = directory.appending(path: String(match.output.1)).path(percentEncoded: false)
      #expect(FileManager.default.fileExists(atPath: target), "\(page): \(match.output.1)")
    }
  }
}

/// A page of the documentation.
private struct Markdown {
  /// A block of code between fences.
  struct Block {
    /// Whether the line before it says that it is to be run.
    var isRun: Bool
    /// Its lines that begin with a prompt, without it.
    var commands: [String]
  }

  let text: String

  /// Reads a page by its path in the repository.
  init(_ page: String) throws {
    text = try String(contentsOf: Checkout.root.appending(path: page), encoding: .utf8)
  }

  /// The rows of the first table below a heading, without its titles, each as its cells.
  func rows(below heading: String) -> [[Substring]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != heading }.dropFirst().drop { !$0.hasPrefix("|") }
      .prefix { $0.hasPrefix("|") }.dropFirst(2).map { $0.split(separator: "|") }
  }

  var blocks: [Block] {
    var blocks: [Block] = []
    var isInside = false
    var before: Substring = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if !isInside { blocks.append(Block(isRun: before == "<!-- run -->", commands: [])) }
        isInside.toggle()
      } else if isInside, line.hasPrefix("$ ") {
        blocks[blocks.count - 1].commands.append(String(line.dropFirst(2)))
      }
      before = line
    }
    return blocks
  }
}

/// A shell in a directory with copies of `jobs/` and `samples/`, in which `keymill` is the binary that
/// was built with the tests.
private struct Shell {
  private let place: KeymillProcess

  init() throws {
    place = try KeymillProcess()
    for name in ["jobs", "samples"] {
      try FileManager.default.copyItem(
        at: Checkout.root.appending(path: name), to: place.directory.appending(path: name))
    }
  }

  func cleanUp() { place.cleanUp() }

  /// Runs a command line to its end; `output` is all that it said.
  func run(_ command: String) throws -> (exitCode: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = place.directory
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    // A file, not a pipe: a full pipe that nobody reads would hang the test.
    let log = place.directory.appending(path: ".log")
    try Data().write(to: log)
    let handle = try FileHandle(forWritingTo: log)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: log, encoding: .utf8))
  }

  private var environment: [String: String] {
    var variables = ProcessInfo.processInfo.environment
    let binaries = KeymillProcess.executable.deletingLastPathComponent()
      .path(percentEncoded: false)
    variables["PATH"] = "\(binaries):\(variables["PATH"] ?? "/usr/bin:/bin")"
    variables["XDG_STATE_HOME"] = place.path("state")
    variables["XDG_CACHE_HOME"] = place.path("cache")
    variables["KEYMILL_DB"] = nil
    variables["KEYMILL_CACHE"] = nil
    return variables
  }
}
