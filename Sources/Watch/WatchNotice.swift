public import JobQueue

/// What a watcher did with a file, or why it did nothing; `description` is one line for a log.
public enum WatchNotice: Hashable, Sendable {
  /// The file became a job.
  case submitted(name: String, job: Job.ID)
  /// This version of the file had become a job before, by this watcher or another.
  case alreadySubmitted(name: String, job: Job.ID)
  /// The name or its kind is none that is taken.
  case ignored(name: String, IgnoreReason)
  /// The file is not complete yet; it is looked at again.
  case waiting(name: String, WaitReason)
  /// No job could be made of the file; it is tried again with the next rescan.
  case refused(name: String, reason: String)
  /// The queue takes nothing now; what is ready is submitted when it does.
  case queueWaits(reason: String)
  /// More happened at once than the kernel keeps; the directory is looked through.
  case overflow
}

/// Why a name in the directory is never taken.
public enum IgnoreReason: Hashable, Sendable {
  /// It begins with a dot.
  case hidden
  /// It ends as programs name what they are still writing, or a backup.
  case unfinished
  /// It is the queue's file, or one that the watcher was told to leave alone.
  case excluded
  /// A directory; only what lies directly in the watched one is taken.
  case directory
  /// A FIFO, socket or device.
  case notAFile
  /// The name is not UTF-8, so that the queue could not hold it.
  case notUTF8
}

/// Why a file is not taken yet.
public enum WaitReason: Hashable, Sendable {
  /// A process has it open for writing.
  case beingWritten
  /// It has no content yet.
  case empty
  /// It may not be read, in the kernel's words.
  case unreadable(String)
}

extension WatchNotice: CustomStringConvertible {
  /// The notice in words, with control characters in names made visible.
  public var description: String {
    switch self {
    case .submitted(let name, let job): "\(printable(name)): job \(job)"
    case .alreadySubmitted(let name, let job): "\(printable(name)): already submitted, job \(job)"
    case .ignored(let name, let reason): "\(printable(name)): ignored, \(reason)"
    case .waiting(let name, let reason): "\(printable(name)): waiting, \(reason)"
    case .refused(let name, let reason): "\(printable(name)): not submitted: \(reason)"
    case .queueWaits(let reason): "waiting for the queue: \(reason)"
    case .overflow: "too many changes at once; looking through the directory"
    }
  }
}

extension IgnoreReason: CustomStringConvertible {
  /// The reason in a few words.
  public var description: String {
    switch self {
    case .hidden: "hidden"
    case .unfinished: "named as an unfinished or temporary file"
    case .excluded: "one of keymill's own files"
    case .directory: "a directory"
    case .notAFile: "not a regular file"
    case .notUTF8: "its name is not UTF-8"
    }
  }
}

extension WaitReason: CustomStringConvertible {
  /// The reason in a few words.
  public var description: String {
    switch self {
    case .beingWritten: "still being written"
    case .empty: "empty so far"
    case .unreadable(let reason): "cannot be read: \(reason)"
    }
  }
}

/// A name as it can stand in one line of a terminal: whoever drops a file chooses its name.
private func printable(_ name: String) -> String {
  name.unicodeScalars.reduce(into: "") { line, scalar in
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator:
      line += scalar.escaped(asASCII: true)
    default:
      line.unicodeScalars.append(scalar)
    }
  }
}
