import Fetch
import FoundationEssentials
import Glibc
import Platform
import TestServer
import TestSupport
import Testing

/// The real fetch process and a real server.
@Suite(
  .temporaryDirectory, .timeLimit(.minutes(10)),
  .enabled(if: Nginx.program != nil, "needs nginx; `scripts/setup test` gets it"))
struct FetchProcessTests {
  private let nginx: Nginx
  private let whole = track(3_000_000)

  init() throws {
    nginx = try Nginx()
    try nginx.put("track.mp3", whole)
    try Files.makeDirectory(path("fetched"))
  }

  /// The binary lies beside the test bundle that runs now.
  private static var command: [String] {
    get throws { [try Files.parent(of: Executable.path) + "/keymill", FetchProcess.commandName] }
  }

  private func request(
    _ url: String, _ change: (inout FetchRequest) -> Void = { _ in }
  ) -> FetchRequest {
    var request = FetchRequest(url: url, path: path("fetched/track"))
    request.allowsPrivate = true
    request.limits.attempts = 1
    change(&request)
    return request
  }

  private func start(_ request: FetchRequest) throws -> FetchProcess {
    try FetchProcess(request, command: Self.command)
  }

  private func finishedFile(_ request: FetchRequest) throws -> FetchedFile {
    guard case .finished(let file) = try start(request).wait() else {
      throw FetchError(.process, url: request.url, "unchanged")
    }
    return file
  }

  @Test func `a file comes, and is not fetched again while it is current`() throws {
    let file = try finishedFile(request(nginx.url + "/track.mp3"))
    #expect(try Files.read(file.path) == whole)
    #expect(file.type == "audio/mpeg")
    #expect(try Files.list(path("fetched")) == ["track"])
    let again = try start(request(nginx.url + "/track.mp3") { $0.validators = file.validators })
    #expect(try again.wait() == .unchanged(file.validators))
    try nginx.put("track.mp3", track(10, seed: 3))
    let changed = try finishedFile(
      request(nginx.url + "/track.mp3") { $0.validators = file.validators })
    #expect(changed.bytes == 10)
  }

  @Test func `killed in the middle, the next goes on, and no byte is wrong`() throws {
    let first = try start(request(nginx.url + "/slow/track.mp3"))
    var known: HTTPValidators?
    while known == nil, let events = try first.read() {
      for case .began(0, 3_000_000, let validators) in events { known = validators }
    }
    try #require(known?.etag != nil)
    try waitForBytes(path("fetched/track"))
    first.process.send(.kill)
    _ = try first.process.wait()
    let there = try FileStatus(path("fetched/track")).size
    #expect(there > 0 && there < 3_000_000)
    var offset: Int64?
    // The same file, without the brake.
    let second = try start(request(nginx.url + "/track.mp3") { $0.resumeValidators = known })
    guard
      case .finished(let file) = try second.wait(report: {
        if case .began(let start, _, _) = $0 { offset = start }
      })
    else { return }
    #expect(offset == there)
    #expect(try Files.read(file.path) == whole)
  }

  /// Waits until a file is written to.
  private func waitForBytes(_ file: String) throws {
    let events = FileDescriptor(owning: inotify_init1(Int32(IN_CLOEXEC)))
    let watch = unsafe inotify_add_watch(events.rawValue, file, UInt32(IN_MODIFY))
    try #require(watch >= 0)
    if try FileStatus(file).size == 0 { _ = try events.read() }
  }

  @Test func `a server that can prove its name is trusted`() throws {
    let file = try finishedFile(
      request(nginx.secureURL + "/track.mp3") { $0.certificates = path("certificate.pem") })
    #expect(try Files.read(file.path) == whole)
  }

  @Test func `a server that cannot is not`() throws {
    let process = try start(request(nginx.secureURL + "/track.mp3"))
    let error = #expect(throws: FetchError.self) { try process.wait() }
    #expect(error?.code == .certificate)
    #expect(error?.kind == .permanent)
  }

  @Test func `this machine is refused unless it is allowed`() throws {
    for host in ["127.0.0.1", "localhost"] {
      let url = nginx.url.replacing("127.0.0.1", with: host) + "/track.mp3"
      let process = try start(request(url) { $0.allowsPrivate = false })
      let error = #expect(throws: FetchError.self) { try process.wait() }
      #expect(error?.code == .privateAddress)
    }
    #expect(try Files.list(path("fetched")).isEmpty)
  }

  @Test func `a file that is not there is an error with its reason`() throws {
    let url = nginx.url.replacing("//", with: "//me:s3cret@") + "/none.mp3"
    let process = try start(request(url))
    let error = #expect(throws: FetchError.self) { try process.wait() }
    #expect(
      error?.description == "\(nginx.url)/none.mp3: the server has no such file (404)")
  }

  @Test func `a process that dies is told with how it died`() throws {
    let process = try start(request(nginx.url + "/slow/track.mp3"))
    _ = try process.read()
    process.process.send(.kill)
    let error = #expect(throws: FetchError.self) { try process.wait() }
    #expect(error?.code == .process)
    #expect(error?.kind == .transient)
    #expect(error?.reason == "the fetch process ended with SIGKILL")
  }

  @Test(.enabled(if: SandboxSupport.current.lack == nil, "needs Landlock and seccomp"))
  func `it writes into its directory alone`() throws {
    try #require(unsafe symlink(path("outside"), path("fetched/track")) == 0)
    let process = try start(request(nginx.url + "/track.mp3"))
    let error = #expect(throws: FetchError.self) { try process.wait() }
    #expect(error?.code == .file)
    #expect(try !Files.list(directory).contains("outside"))
  }

  @Test func `a proxy of the environment is not taken, one that is asked for is`() throws {
    let proxy = try BadServer { _ in [.head("404 None")] }
    let document = try JSONEncoder().encode(request(nginx.url + "/track.mp3"))
    let command = try Self.command
    let input = try FileDescriptor.holding(Array(document))
    let process = try ChildProcess(
      .init(
        command[0], Array(command[1...]),
        environment: [
          "http_proxy": "http://127.0.0.1:\(proxy.port)", "OPENBLAS_NUM_THREADS": "1",
        ], descriptors: [0: input.rawValue]))
    #expect(try process.wait().status.isSuccess)
    #expect(proxy.asked.isEmpty)
    let asked = try start(
      request("http://example.org/") { $0.proxy = "http://127.0.0.1:\(proxy.port)" })
    #expect(throws: FetchError.self) { try asked.wait() }
    #expect(proxy.asked.map(\.path) == ["http://example.org/"])
  }
}
