internal import JobQueue
internal import Platform

// From the first sight of a file to its job: consider, let it settle, examine, submit.

extension WatchFolder {
  /// How many files are examined before the loop may do something else.
  private static let filesPerTurn = 16

  /// How long to wait before trying again what did not work: not so short that the loop spins.
  private var pause: Duration { max(options.settle, .milliseconds(100)) }

  /// Begins to wait for a file to stand still, if it is one to be taken.
  ///
  /// Without an event this is one of many names looked at in a scan, and what is under way is left so.
  func consider(_ name: FileName, after event: DirectoryWatch.Event.Kind?) {
    if let reason = rules.refusal(of: name) { return ignore(name, reason) }
    guard let status = look(at: name) else { return }
    if let reason = rules.refusal(of: status.kind) { return ignore(name, reason) }
    if let event {
      arrivals[name, default: Arrival()].awaitsClose = event == .created && isBeingMade(name)
    }
    let version = FileVersion(status)
    let arrival = arrivals[name, default: Arrival()]
    guard arrival.submitted != version else { return rest(name) }
    guard event != nil || !arrival.isPending else { return }
    settle(name, version, for: options.settle)
  }

  /// Whether a name that came into being is a file that somebody makes, and so will close.
  ///
  /// A link of either kind comes with all its content.
  private func isBeingMade(_ name: FileName) -> Bool {
    guard let status = try? FileStatus(path(of: name), followingLinks: false) else { return false }
    return status.kind == .file && status.linkCount == 1
  }

  private func settle(_ name: FileName, _ version: FileVersion, for delay: Duration) {
    rest(name)
    guard let loop else { return }
    let timer = loop.schedule(after: delay) { [weak self] in self?.lineUp(name) }
    arrivals[name, default: Arrival()].version = version
    arrivals[name]?.phase = .settling(timer)
  }

  private func lineUp(_ name: FileName) {
    arrivals[name]?.phase = .ready
    ready.append(name)
    if drainTimer == nil { drain(after: .zero) }
  }

  private func drain(after delay: Duration) {
    drainTimer = loop?.schedule(after: delay) { [weak self] in try self?.drain() }
  }

  /// Examines those in line, a few at a time, so that signals and timers have their turn.
  private func drain() throws {
    drainTimer = nil
    for _ in 0..<Self.filesPerTurn {
      guard let name = ready.first else { break }
      guard try examine(name) else { return drain(after: pause) }
      // Empty when what was reported made somebody stop the watcher.
      _ = ready.popFirst()
    }
    if ready.isEmpty { ready = [] } else { drain(after: .zero) }
  }

  /// Submits a file that stood still, if it is complete.
  /// - Returns: false when the queue takes nothing now.
  private func examine(_ name: FileName) throws -> Bool {
    // It may have been touched, and so be settling again, since it was lined up.
    guard let arrival = arrivals[name], case .ready = arrival.phase else { return true }
    guard let status = look(at: name) else { return true }
    let version = FileVersion(status)
    guard status.kind == .file, version == arrival.version else {
      rest(name)
      consider(name, after: nil)
      return true
    }
    guard isComplete(name, version) else { return true }
    return try submit(name, version)
  }

  /// Whether nobody writes a file that has content; if not, says so and sees to the next look at it.
  private func isComplete(_ name: FileName, _ version: FileVersion) -> Bool {
    guard version.size > 0 else {
      wait(name, .empty)
      return false
    }
    do throws(PlatformError) {
      switch try writers(path(of: name)) {
      case .none:
        return true
      case .some:
        wait(name, .beingWritten)
        // No event tells of a close through another name of the file.
        settle(name, version, for: pause)
      case .unknown:
        guard arrivals[name]?.awaitsClose == true else { return true }
        wait(name, .beingWritten)
      }
    } catch {
      wait(name, .unreadable("\(error.code)"))
    }
    return false
  }

  private func submit(_ name: FileName, _ version: FileVersion) throws -> Bool {
    switch try submitter.submit(path(of: name), version) {
    case .queueWaits(let reason):
      tellOfQueue(.queueWaits(reason: reason))
      return false
    case .refused(let reason):
      rest(name)
      tell(name, .refused(name: name.text, reason: reason))
    case .done(let submission):
      rest(name)
      queueTold = nil
      arrivals[name]?.submitted = version
      let job = submission.job.id
      tell(
        name,
        submission.isNew
          ? .submitted(name: name.text, job: job) : .alreadySubmitted(name: name.text, job: job))
    }
    return true
  }
}

// MARK: - What is known of a name

extension WatchFolder {
  /// Forgets a name that is no longer there.
  func forget(_ name: FileName) {
    rest(name)
    arrivals[name] = nil
  }

  /// Stops what is under way for a name.
  func rest(_ name: FileName) {
    if case .settling(let timer) = arrivals[name]?.phase { loop?.cancel(timer) }
    arrivals[name]?.phase = .resting
  }

  private func ignore(_ name: FileName, _ reason: IgnoreReason) {
    rest(name)
    tell(name, .ignored(name: name.text, reason))
  }

  private func wait(_ name: FileName, _ reason: WaitReason) {
    rest(name)
    tell(name, .waiting(name: name.text, reason))
  }

  private func path(of name: FileName) -> String {
    (directory == "/" ? "" : directory) + "/" + name.text
  }

  /// What stands under the name; without an answer, the name is dealt with.
  private func look(at name: FileName) -> FileStatus? {
    do throws(PlatformError) {
      return try FileStatus(path(of: name))
    } catch {
      if !error.isNotFound {
        wait(name, .unreadable(error.code.description))
      } else if name.text.unicodeScalars.contains("\u{FFFD}") {
        // Repaired for display, it is no name that can be opened.
        ignore(name, .notUTF8)
      } else {
        forget(name)
      }
      return nil
    }
  }
}
