import Glibc
public import Platform

/// The process that job processes are forked from.
///
/// Starting our program anew for each job costs 40 ms of CPU and more, nearly all of it for the
/// libraries behind FFmpeg; a fork of a process that has them loaded costs a few. Three things have to
/// hold, and this is how they come about:
///
/// - *The supervisor sees each job's end.* Jobs are forked with CLONE_PARENT: the supervisor is their
///   parent, not the zygote. It waits on them as on any child, with exit status and use, and its death
///   is what their parent-death signal follows. A dead zygote harms no running job.
/// - *No job is lost or run twice when the zygote dies.* The answer to a request comes from the new
///   process itself, before it does anything else. So when the supervisor reads the end of the
///   connection, which comes when the zygote and all that have not answered yet are gone, it knows:
///   what is unanswered now never ran.
/// - *A fork is safe.* The zygote has one thread. It checks that before it says it is ready, since
///   libraries start threads as they please.
public enum Zygote {
  /// The number of the descriptor at which a zygote finds its connection.
  public static let connection: Int32 = 3

  /// Serves fork requests until the supervisor closes its end.
  ///
  /// In each new process, with the request on standard input, reports going to standard output and the
  /// log to standard error, `prepare` is called first. It confines the process while it has one thread,
  /// and gives what is then run on a thread of its own and returns the exit code.
  /// - Throws: `ZygoteError` when this process has more than one thread.
  public static func serve(
    _ socket: consuming PacketSocket, prepare: () -> @Sendable () -> Int32
  ) throws {
    let threads = try threadCount
    guard threads == 1 else { throw ZygoteError(threads: threads) }
    try socket.send(ZygoteMessage.ready.bytes)
    while var packet = try socket.receive() {
      guard case .fork(let ticket)? = ZygoteMessage(packet.bytes) else { continue }
      do throws(PlatformError) {
        guard try forkSibling() == .new else { continue }
      } catch {
        try socket.send(ZygoteMessage.failed(ticket: ticket, code: error.code.rawValue).bytes)
        continue
      }
      begin(ticket, packet.releaseDescriptors(), socket.release())
      endProcess(after: prepare())
    }
  }

  /// The first steps of a new process.
  private static func begin(
    _ ticket: UInt64, _ descriptors: [Int32], _ connection: Int32
  ) {
    do throws(PlatformError) {
      // Its number is another descriptor's below; no owner may be left to close that.
      let socket = PacketSocket(owning: FileDescriptor(owning: connection))
      // Fails when the supervisor has given up on this zygote, and then the job must not run.
      try socket.send(ZygoteMessage.forked(ticket: ticket, pid: getpid()).bytes)
      _ = socket.release()
      try replaceDescriptors(with: descriptors)
    } catch {
      _exit(EXIT_FAILURE)
    }
  }
}

/// A process that cannot be a zygote.
public struct ZygoteError: Error, Sendable, CustomStringConvertible {
  /// How many threads it has.
  public let threads: Int

  /// What is wrong.
  public var description: String { "a zygote has one thread, and this process has \(threads)" }
}
