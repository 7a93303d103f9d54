import Glibc
import Platform
import Testing

@Suite("ProcessIdentity")
struct ProcessIdentityTests {
  @Test func `this process is alive and keeps its identity`() throws {
    let identity = try ProcessIdentity.current
    #expect(identity.pid == getpid())
    #expect(try identity.isAlive)
    #expect(try identity == ProcessIdentity.current)
  }

  @Test func `it is read back from its text`() throws {
    let identity = try ProcessIdentity.current
    #expect(ProcessIdentity(identity.description) == identity)
    for text in ["", "a:b:c:d", ":1:2:3", "x:1:2", "x:1:2:3:4", "x:1:2:-3"] {
      #expect(ProcessIdentity(text) == nil)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a process that has ended is dead, reaped or not`() throws {
    let input = try Pipe()
    let child = try ChildProcess(.init("/bin/cat", descriptors: [0: input.reader.rawValue]))
    let identity = try #require(try ProcessIdentity(pid: child.pid))
    #expect(try identity.isAlive)
    child.send(.kill)
    let loop = try EventLoop()
    try loop.add(child.descriptor) { _ in loop.stop() }
    try loop.run()
    #expect(try !identity.isAlive)
    #expect(try ProcessIdentity(pid: child.pid) == nil)
    _ = try child.wait()
    #expect(try !identity.isAlive)
  }

  @Test func `another start, another boot and another namespace are told apart`() throws {
    let own = try ProcessIdentity.current
    func identity(boot: String? = nil, namespace: UInt64? = nil, start: UInt64? = nil) throws
      -> ProcessIdentity
    {
      try #require(
        ProcessIdentity(
          "\(boot ?? own.bootID):\(namespace ?? own.namespace):\(own.pid):\(start ?? own.startTime)"
        ))
    }
    #expect(try identity().isAlive)
    #expect(try !identity(start: own.startTime + 1).isAlive)
    #expect(try !identity(boot: "earlier").isAlive)
    #expect(try identity(namespace: own.namespace + 1, start: 1).isAlive)
  }
}
