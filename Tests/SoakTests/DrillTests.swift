import Platform
import Testing

/// Small soaks, with the real program and real processes; `make soak` runs large ones.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DrillTests {
  @Test func `after a storm of kills every job has ended once and every output is right`() throws {
    let soak = try drill("storm", "--jobs", "60", "--kills", "20", "--stops", "2")
    #expect(soak.status == .exited(0), "\(soak.output)")
  }

  @Test func `jobs wait for room on a full disk and none fails`() throws {
    let soak = try drill("disk")
    #expect(soak.status == .exited(0), "\(soak.output)")
  }

  @Test func `a crowd that submits, lists and cancels at once loses nothing`() throws {
    let soak = try drill("crowd", "--crowd", "3s")
    #expect(soak.status == .exited(0), "\(soak.output)")
  }

  @Test func `a job that outlives its lease runs once`() throws {
    let soak = try drill("long", "--leases", "4")
    #expect(soak.status == .exited(0), "\(soak.output)")
  }

  /// Runs a drill to its end, with the programs that lie beside the test bundle.
  private func drill(
    _ name: String, _ options: String...
  ) throws -> (status: Platform.ExitStatus, output: String) {
    let binaries = try Files.parent(of: Executable.path)
    let checkout = Files.parent(of: Files.parent(of: Files.parent(of: #filePath)))
    let arguments = [
      "drill", "--only", name, "--keymill", "\(binaries)/keymill", "--checkout", checkout,
      "--directory", "\(binaries)/soak-test/\(name)",
    ]
    let pipe = try Pipe()
    let reader = try pipe.reader.duplicate()
    let process = try start("\(binaries)/keymill-soak", arguments + options, pipe)
    let output = String(decoding: try reader.readToEnd(), as: UTF8.self)
    return (try process.wait().status, output)
  }

  /// Takes the pipe, so that its writing end is closed here.
  private func start(
    _ program: String, _ arguments: [String], _ pipe: consuming Pipe
  ) throws -> ChildProcess {
    try ChildProcess(
      ChildProcess.Launch(
        program, arguments, descriptors: [1: pipe.writer.rawValue, 2: pipe.writer.rawValue]))
  }
}
