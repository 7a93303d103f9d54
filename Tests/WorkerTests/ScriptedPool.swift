import AudioCache
import FoundationEssentials
import JobQueue
import Platform
import TestSupport

@testable import Worker

/// A pool in this process whose job processes are a shell script, with a queue in the test's directory.
///
/// Scripts tell the test where they are through FIFOs: it waits on them in the pool's own loop.
final class ScriptedPool {
  let queue: JobStore
  private(set) var log: [String] = []
  private let options: SupervisorOptions
  private let cache: TrackCache?
  private let store: JobStore
  private var listeners: [Doorbell.Listener] = []
  private(set) lazy var supervisor = makeSupervisor

  /// What each script may use.
  private static let prelude = #"""
    ulimit -c 0
    request=$(sed 's,\\/,/,g')
    field() { printf %s "$request" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
    job=$(field job) attempt=$(field attempt) staging=$(field staging) input=$(field input)
    report() { printf '{"%s":{"_0":%s}}\n' "$1" "$2"; }
    progress() { report progress "{\"stage\":\"keying\",\"frames\":$1,\"fps\":${2:-1}}"; }
    stage() {
      mkdir -p "$staging"
      echo "attempt $attempt" >"$staging/made"
      printf '{"input":{"path":"%s"}}' "$input" >"$staging/manifest.json"
    }
    made() { report made '{"partial":false,"warnings":[],"files":1,"bytes":1,"tracks":[]}'; }
    fail() { report failed "{\"kind\":\"$1\",\"message\":\"$2\",\"exitCode\":74}"; exit 74; }
    hang() { exec sleep 600; }

    """#

  /// A pool of one process that stops when nothing is left, and that no clock helps.
  ///
  /// Copied tracks go into `cache`, if there is one.
  init(
    _ script: String, cache: TrackCache? = nil,
    _ configure: (inout SupervisorOptions) -> Void = { _ in }
  ) throws {
    self.cache = cache
    let file = path("job.sh")
    try AtomicFile.write("here='\(directory)'\n" + Self.prelude + script, to: file)
    var laws = JobStore.Options()
    laws.backoff = Backoff(base: .milliseconds(1))
    store = try JobStore(path: path("queue.db"), role: .supervisor, options: laws)
    queue = try JobStore(path: path("queue.db"), role: .client, options: laws)
    var options = SupervisorOptions(processes: 1)
    options.drains = true
    options.jobCommand = ["/bin/sh", file]
    options.patrol = .seconds(600)
    options.spaceWait = .milliseconds(1)
    options.killDelay = .milliseconds(50)
    options.tick = .milliseconds(20)
    configure(&options)
    self.options = options
  }

  private var makeSupervisor: Supervisor? {
    try? Supervisor(
      store: store, options: options,
      publisher: Publisher(cache: cache), log: { [unowned self] in log.append($0) })
  }

  /// Submits a job whose output is `out/NAME` in the test's directory.
  @discardableResult
  func submit(_ name: String = "clip", _ change: (inout NewJob) -> Void = { _ in }) throws -> Job.ID
  {
    var new = NewJob(
      input: path("\(name).mp4"), output: path("out/\(name)"),
      recipe: JobRecipe(name: "sprite", digest: "d", canonicalJSON: #"{"key":{}}"#))
    change(&new)
    return try queue.submit([new], now: Date())[0].job.id
  }

  /// Does something in the pool's loop each time a script has written to the FIFO `name`.
  func when(_ name: String, _ body: @escaping () throws -> Void) throws {
    let listener = try Doorbell(path: path(name)).listen()
    listeners.append(listener)
    try supervisor?.loop.add(listener.descriptor) { _ in
      try listener.drain()
      try body()
    }
  }

  /// Rings the queue's bell, as `submit` does.
  func ring() throws { try Doorbell(besideQueue: queue.path).ring() }

  /// Runs the pool to its end.
  @discardableResult
  func run() throws -> Supervisor.Outcome {
    guard let supervisor else { throw CocoaError(.featureUnsupported) }
    return try supervisor.run()
  }

  /// The job as it is now.
  func job(_ id: Job.ID = 1) throws -> Job {
    guard let job = try queue.job(id) else { throw CocoaError(.fileNoSuchFile) }
    return job
  }

  /// What happened to a job, by name.
  func story(_ id: Job.ID = 1) throws -> [String] { try queue.events(of: id).map(\.kind.name) }
}
