import Glibc
import Platform
import TestSupport
import Testing

/// What a confined process can and cannot do; each in a process of its own.
@Suite(
  .temporaryDirectory, .timeLimit(.minutes(10)),
  .enabled(if: SandboxSupport.current.lack == nil, "needs a kernel with Landlock and seccomp"))
struct SandboxTests {
  /// The file and the directory that the sandbox is for, and a file beside them.
  private struct Place: Codable, Sendable {
    let input: String
    let other: String
    let staging: String

    init() throws {
      input = path("input")
      other = path("other")
      staging = path("staging")
      for file in [input, other] { try FileDescriptor.open(file, .create).writeAll("x") }
      try Files.makeDirectory(staging)
    }

    /// Confines this process.
    func enter() throws {
      try Sandbox(readable: [input], writable: [staging], maxMemory: 1 << 40).enter()
    }
  }

  /// The code of the error that something ends with.
  private static func code(_ body: () throws -> Void) -> ErrorCode? {
    do {
      try body()
      return nil
    } catch {
      return (error as? PlatformError)?.code
    }
  }

  @Test func `it reads its input and the system's files, and nothing else`() async throws {
    let place = try Place()
    await #expect(processExitsWith: .success) { [place = place as Place] in
      try place.enter()
      #expect(try Files.read(place.input).count == 1)
      _ = try Files.list("/usr/share")
      #expect(ResourceUsage.current.peakMemoryKiB > 0)
      for path in [place.other, "/etc/passwd", "/etc/shadow", "/proc/1/environ", "/root/.profile"] {
        #expect(Self.code { _ = try Files.read(path) } == .accessDenied, "\(path)")
      }
      #expect(Self.code { _ = try Files.list(Files.parent(of: place.input)) } == .accessDenied)
    }
  }

  @Test func `it writes in its directory and nowhere else`() async throws {
    let place = try Place()
    await #expect(processExitsWith: .success) { [place = place as Place] in
      try place.enter()
      let file = "\(place.staging)/frames/1"
      try Files.makeDirectory(Files.parent(of: file))
      try FileDescriptor.open(file, .create).writeAll("x")
      try FileDescriptor.open(file, .write).writeAll("y")
      try Files.rename(file, to: "\(place.staging)/2")
      try Files.syncFileSystem(containing: place.staging)
      try Files.removeTree("\(place.staging)/frames")
      for path in [place.input, "\(place.staging)2", "/tmp/keymill-sandbox-test"] {
        #expect(Self.code { _ = try FileDescriptor.open(path, .write) } == .accessDenied, "\(path)")
      }
      #expect(Self.code { try Files.removeFile(place.other) } == .accessDenied)
      #expect(Self.code { try Files.rename("\(place.staging)/2", to: place.other) } != nil)
    }
  }

  @Test func `it reaches neither the network nor another program`() async throws {
    let place = try Place()
    await #expect(processExitsWith: .success) { [place = place as Place] in
      try place.enter()
      for family in [AF_INET, AF_INET6, AF_UNIX] {
        #expect(socket(family, Int32(SOCK_STREAM.rawValue), 0) == -1 && errno == EPERM)
      }
      #expect(Self.code { _ = try ChildProcess(.init("/bin/true")) } != nil)
      #expect(Self.code { _ = try PacketSocketPair() } == .notPermitted)
    }
  }

  @Test func `with the network it connects, and serves nobody`() async throws {
    let place = try Place()
    await #expect(processExitsWith: .success) { [place = place as Place] in
      var sandbox = Sandbox(readable: [], writable: [place.staging])
      sandbox.allowsNetwork = true
      try sandbox.enter()
      let kind = Int32(SOCK_STREAM.rawValue)
      let connection = FileDescriptor(owning: socket(AF_INET, kind, 0))
      #expect(socket(AF_INET6, kind, 0) >= 0 || errno == EAFNOSUPPORT)
      #expect(socket(AF_UNIX, kind, 0) == -1 && errno == EPERM)
      #expect(listen(connection.rawValue, 1) == -1 && errno == EPERM)
      _ = try Files.read("/etc/hosts")
      #expect(Self.code { _ = try Files.read("/etc/passwd") } == .accessDenied)
      #expect(Self.code { _ = try ChildProcess(.init("/bin/true")) } != nil)
    }
  }

  @Test func `it signals nobody else, and stays in its group`() async throws {
    let place = try Place()
    await #expect(processExitsWith: .success) { [place = place as Place] in
      try place.enter()
      #expect(kill(getppid(), 0) == -1 && errno == EPERM)
      #expect(kill(getpid(), 0) == 0)
      #expect(setsid() == -1 && errno == EPERM)
      #expect(setpgid(0, 0) == -1 && errno == EPERM)
    }
  }

  @Test func `its own signals still end it`() async throws {
    let place = try Place()
    await #expect(processExitsWith: .signal(SIGABRT)) { [place = place as Place] in
      try place.enter()
      abort()
    }
  }

  @Test func `threads started later are confined too`() async throws {
    let place = try Place()
    await #expect(processExitsWith: .exitCode(EACCES)) { [place = place as Place] in
      try place.enter()
      endProcess {
        Self.code { _ = try Files.read(place.other) }?.rawValue ?? 0
      }
    }
  }

  @Test func `memory of its own is limited, and core dumps are off`() async throws {
    let place = try Place()
    await #expect(processExitsWith: .success) { [place = place as Place] in
      var sandbox = Sandbox(readable: [], writable: [place.staging])
      sandbox.maxMemory = 256 << 20
      try sandbox.enter()
      #expect(unsafe malloc(300 << 20) == nil)
      var limits = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limits)
      #expect(limits.rlim_cur == 0 && limits.rlim_max == 0)
    }
  }

  @Test func `a file becomes no longer than it may`() async throws {
    let place = try Place()
    await #expect(processExitsWith: .success) { [place = place as Place] in
      Signal.fileSizeLimit.ignore()
      var sandbox = Sandbox(readable: [], writable: [place.staging])
      sandbox.maxFileSize = 10
      try sandbox.enter()
      let file = try FileDescriptor.open("\(place.staging)/1", .create)
      try file.writeAll("0123456789")
      #expect(Self.code { try file.writeAll("x") }?.rawValue == EFBIG)
    }
  }

  @Test func `what a kernel lacks is told in words`() {
    let words = [(7, true), (0, true), (7, false), (0, false)].map {
      SandboxSupport(landlockVersion: $0, filtersCalls: $1).lack
    }
    #expect(words[0] == nil)
    #expect(words[1]?.hasPrefix("no Landlock") == true)
    #expect(words[2]?.hasPrefix("no seccomp filters") == true)
    #expect(words[3]?.hasPrefix("neither Landlock nor seccomp") == true)
  }
}
