import Platform

/// A process that uses a store, named so that any machine that shares the store can judge it.
struct StoreUser: Hashable, Sendable {
  /// What can be known about a process.
  enum Standing: Hashable, Sendable {
    /// It runs.
    case alive
    /// It has ended, for certain.
    case ended
    /// It cannot be seen from here: it is of another machine or container.
    case unknown
  }

  /// The machine's name.
  let host: String
  /// The process on it.
  let process: ProcessIdentity

  /// This process.
  static var current: StoreUser {
    get throws(PlatformError) {
      StoreUser(host: Host.name, process: try ProcessIdentity.current)
    }
  }

  private init(host: String, process: ProcessIdentity) {
    // A name may hold what has a meaning in file names here.
    self.host = String(host.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    self.process = process
  }

  /// What is known about this process by another, mostly the current one.
  func standing(seenBy observer: StoreUser) throws(PlatformError) -> Standing {
    guard process.bootID == observer.process.bootID else {
      // Another boot of the observer's machine is over; another machine's may well run.
      return host == observer.host ? .ended : .unknown
    }
    guard process.namespace == observer.process.namespace else { return .unknown }
    return try process.isAlive ? .alive : .ended
  }
}

extension StoreUser: LosslessStringConvertible {
  /// The machine and the process, to be part of a file's name.
  var description: String { "\(host)@\(process)" }

  /// Reads what `description` wrote.
  init?(_ description: String) {
    let parts = description.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let process = ProcessIdentity(String(parts[1])) else { return nil }
    self.init(host: String(parts[0]), process: process)
  }
}
