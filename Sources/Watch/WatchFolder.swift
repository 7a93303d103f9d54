public import FoundationEssentials
public import JobQueue
public import Platform

/// Submits each file dropped into a directory, once, when it is complete.
///
/// A file is complete when nobody has it open for writing and it has stood still (same inode, size
/// and time of change) for `settle` after it was closed, moved in or first seen. Who writes is asked
/// of the kernel (``Platform/Files/writers(of:)``), so a copy may pause for as long as it likes.
/// Where the kernel does not tell, a file that was seen coming into being waits for its close; of
/// others, such as those found at the start, standing still is all that can be known.
///
/// Taken are regular files directly in the directory, and links to such; not what is hidden, empty,
/// a directory, or named as unfinished (``IgnoreReason``). A new version of a file is a new job. The
/// queue remembers which versions had one, through restarts and as long as it keeps the job: a file
/// left lying after its job was pruned is new to the next start.
///
/// The directory is looked through at the start, after an overflow of the kernel's events, and every
/// `rescan`, which finds what other machines put on a network file system, whose changes no event
/// tells. Files that are waiting are never forgotten.
///
/// Belongs to the thread of its event loop, and works as long as somebody keeps it.
public final class WatchFolder {
  /// How to watch.
  public struct Options: Sendable {
    /// How long a file has to stand still.
    public var settle: Duration = .seconds(2)
    /// How often the whole directory is looked through.
    public var rescan: Duration = .seconds(60)
    /// Files that are not to be taken if they lie in the directory; the queue's own never are.
    public var excluded: [String] = []

    /// The usual options.
    public init() {}
  }

  /// The directory's absolute path; the files' paths begin with it.
  public let directory: String

  private let identity: FileStatus
  private let watch: DirectoryWatch
  private let report: (WatchNotice) -> Void
  private var rescanTimer: EventLoop.Timer?
  let options: Options
  let rules: DropRules
  let submitter: Submitter
  var loop: EventLoop?
  var arrivals: [FileName: Arrival] = [:]
  /// Those that stood still long enough, in that order.
  var ready: ArraySlice<FileName> = []
  var drainTimer: EventLoop.Timer?
  /// What was last said of the queue, so that it is said once.
  var queueTold: WatchNotice?
  /// Who says whether a file is being written; another one in tests.
  var writers: (String) throws(PlatformError) -> Writers = Files.writers(of:)

  /// Begins to note what happens in the directory; nothing is submitted before ``start(on:)``.
  ///
  /// `store` is best opened as `supervisor`, so that a busy queue does not hold up the loop; `doorbell`
  /// is rung after each submission, dated `now()`. `makeJob` makes a job of a file's absolute path;
  /// an error that it throws refuses the file until the next rescan, and `isUnique` is of no effect.
  /// `report` is told once what becomes of each file.
  /// - Throws: ``WatchError``.
  public init(
    directory: String, store: JobStore, doorbell: Doorbell, options: Options = Options(),
    now: @escaping () -> Date = { Date() }, makeJob: @escaping (String) throws -> NewJob,
    report: @escaping (WatchNotice) -> Void
  ) throws(WatchError) {
    do throws(PlatformError) {
      self.directory = try Files.absolutePath(directory)
      watch = try DirectoryWatch(self.directory)
      identity = try FileStatus(self.directory)
    } catch {
      throw WatchError(error, directory: directory)
    }
    self.options = options
    self.report = report
    // The names are SQLite's.
    let queue = ["", "-wal", "-shm", "-journal"].map { store.path + $0 } + [doorbell.path]
    rules = DropRules(directory: identity, excluding: options.excluded + queue)
    submitter = Submitter(store: store, doorbell: doorbell, makeJob: makeJob, now: now)
  }

  deinit { stop() }

  /// Looks through the directory and goes on with what happens in it.
  ///
  /// Handlers on the loop throw, and so end its run, when the directory is gone (``WatchError``) or
  /// the queue out of order (`QueueError`); a busy or full queue is waited for.
  public func start(on loop: EventLoop) throws {
    precondition(self.loop == nil, "a watcher is on one loop at a time")
    self.loop = loop
    try loop.add(watch.descriptor) { [weak self] _ in try self?.handleEvents() }
    rescanTimer = loop.schedule(every: options.rescan) { [weak self] in try self?.scan() }
    try scan()
  }

  /// Leaves the loop; what was waiting is found again by the next start.
  public func stop() {
    guard let loop else { return }
    loop.remove(watch.descriptor)
    for timer in [rescanTimer, drainTimer] { timer.map(loop.cancel) }
    drainTimer = nil
    for name in arrivals.keys { rest(name) }
    ready = []
    self.loop = nil
  }
}

// MARK: - What happens in the directory

extension WatchFolder {
  private func handleEvents() throws {
    for event in try watch.read() { try handle(event) }
  }

  private func handle(_ event: DirectoryWatch.Event) throws {
    let name = FileName(event.name)
    switch event.kind {
    case .directoryGone:
      throw WatchError.gone(directory)
    case .overflow:
      report(.overflow)
      // The closes that some wait for may be among what is lost.
      for name in arrivals.keys { arrivals[name]?.awaitsClose = false }
      try scan()
    case .movedOut, .deleted:
      forget(name)
    case .created, .closedAfterWriting, .movedIn:
      guard event.isNameExact else { return tell(name, .ignored(name: name.text, .notUTF8)) }
      consider(name, after: event.kind)
    }
  }

  /// Looks at every name in the directory.
  private func scan() throws {
    let names = try listing().map(FileName.init)
    for name in Set(arrivals.keys).subtracting(names) { forget(name) }
    for name in names.sorted(by: { $0.text < $1.text }) { consider(name, after: nil) }
  }

  /// The names in the directory, if it is still the one that the path stands for.
  private func listing() throws(WatchError) -> [String] {
    do throws(PlatformError) {
      if try FileStatus(directory).isSameFile(as: identity) { return try Files.list(directory) }
    } catch  where !error.isNotFound {
      throw WatchError(error, directory: directory)
    } catch {}
    throw .gone(directory)
  }

  /// Says something of a file, unless it is what was said last.
  func tell(_ name: FileName, _ notice: WatchNotice) {
    guard arrivals[name, default: Arrival()].told != notice else { return }
    arrivals[name, default: Arrival()].told = notice
    report(notice)
  }

  /// Says something of the queue, unless it is what was said last.
  func tellOfQueue(_ notice: WatchNotice) {
    guard queueTold != notice else { return }
    queueTold = notice
    report(notice)
  }
}
