import JobQueue
import Platform

/// Supervisors on one queue that are started again whenever they are killed.
final class Pools {
  /// One of them.
  final class Pool {
    let name: String
    fileprivate(set) var process: ChildProcess
    /// While it is stopped, when it goes on.
    fileprivate(set) var frozenUntil: Duration?
    fileprivate var isKilled = false

    fileprivate init(_ name: String, _ process: ChildProcess) {
      self.name = name
      self.process = process
    }
  }

  private(set) var all: [Pool] = []
  /// What pools did that nobody made them do.
  private(set) var troubles: [String] = []
  private let room: Room
  private let lease: Duration

  /// Starts so many pools.
  init(_ count: Int, room: Room, lease: Duration) throws {
    self.room = room
    self.lease = lease
    all = try (1...count).map { number in
      Pool("pool-\(number)", try room.startPool("pool-\(number)", lease: lease))
    }
  }

  /// Starts those again that are dead, and lets those go on whose time has come.
  func tend() throws {
    for pool in all {
      if let exit = try pool.process.reap() {
        if !pool.isKilled { troubles.append("\(pool.name) ended with \(exit.status)") }
        pool.process = try room.startPool(pool.name, lease: lease)
        pool.isKilled = false
        pool.frozenUntil = nil
      }
      if let until = pool.frozenUntil, BootClock.now >= until {
        pool.process.send(.continue)
        pool.frozenUntil = nil
      }
    }
  }

  /// Kills a pool.
  func kill(_ pool: Pool) {
    pool.isKilled = true
    pool.process.send(.kill)
  }

  /// Stops a pool for some time.
  func freeze(_ pool: Pool, for time: Duration) {
    pool.process.send(.stop)
    pool.frozenUntil = BootClock.now + time
  }

  /// Lets all go on, asks them to end, and waits until they have.
  func end() throws {
    try tend()
    for pool in all {
      pool.process.send(.continue)
      pool.process.send(.terminate)
    }
    for pool in all {
      let status = try pool.process.wait().status
      if !status.isSuccess { troubles.append("\(pool.name), told to end, ended with \(status)") }
    }
  }

  /// Kills what still runs; for a drill that cannot go on.
  func abandon() {
    for pool in all where pool.process.exit == nil {
      pool.process.send(.kill)
      _ = try? pool.process.wait()
    }
  }
}

/// A child of a supervisor.
struct PoolChild {
  /// What it does there.
  enum Role: Equatable {
    /// It runs this job.
    case job(Job.ID)
    /// It is what jobs are forked from, or a fork of it that has no name yet.
    case zygote
  }

  let pid: Int32
  let role: Role

  /// The children of a process that have not ended, oldest first.
  static func all(of parent: Int32) -> [PoolChild] {
    guard let list = try? Files.read("/proc/\(parent)/task/\(parent)/children") else { return [] }
    return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { word in
      guard let pid = Int32(word), let name = try? Files.read("/proc/\(pid)/comm") else {
        return nil
      }
      return Role(named: String(decoding: name, as: UTF8.self)).map {
        PoolChild(pid: pid, role: $0)
      }
    }
  }
}

extension PoolChild.Role {
  /// The role of a process by the name that the kernel has of it.
  init?(named name: String) {
    let name = name.hasSuffix("\n") ? String(name.dropLast()) : name
    if name == "keymill-zygote" {
      self = .zygote
    } else if let id = name.hasPrefix("keymill-") ? Job.ID(name.dropFirst(8)) : nil {
      self = .job(id)
    } else {
      return nil
    }
  }
}
