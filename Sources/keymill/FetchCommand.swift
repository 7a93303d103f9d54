import Commands
import Fetch
import FoundationEssentials
import Glibc
import Platform

/// `keymill fetch-url`: a process that downloads one URL and can do nothing else.
///
/// Reads a request from standard input and says what happens on standard output. Touches no media.
struct FetchCommand: Command {
  static let name = FetchProcess.commandName
  static let summary = "Download one URL for another process"
  static let isHidden = true

  /// Far more than a download takes; the libraries of this program have some of it.
  private static let maxMemory: Int64 = 512 << 20

  func run() throws {
    do {
      Self.send(try Self.fetch())
    } catch let error as FetchError {
      Self.send(.failed(error: error))
      throw ExitCode.failure
    }
  }

  private static func fetch() throws -> FetchEvent {
    let input = FileDescriptor(owning: STDIN_FILENO)
    let request = try JSONDecoder().decode(FetchRequest.self, from: Data(try input.readToEnd()))
    if request.parent != 0 { try dieWithParent(request.parent) }
    nameProcess("keymill-fetch")
    var sandbox = Sandbox(
      readable: [request.certificates].compactMap(\.self),
      writable: [Files.parent(of: request.path)],
      maxMemory: maxMemory)
    sandbox.allowsNetwork = true
    sandbox.maxFileSize = request.limits.maxBytes
    try sandbox.enter()
    switch try Fetcher(request, report: send).run() {
    case .finished(let file): return .finished(file: file)
    case .unchanged(let validators): return .unchanged(validators: validators)
    }
  }

  private static func send(_ event: FetchEvent) { try? Output.jsonLine(event) }
}
