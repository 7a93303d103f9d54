import Commands
import Glibc
import Platform
import Worker

/// `keymill zygote`: the process that a supervisor's job processes are forked from.
struct ZygoteCommand: Command {
  static let name = "zygote"
  static let summary = "Fork job processes for a supervisor"
  static let isHidden = true

  func run() throws {
    // Our parent's end of the connection closes with it too; this also holds while we warm up.
    try dieWithParent(getppid())
    nameProcess("keymill-zygote")
    let socket = PacketSocket(owning: FileDescriptor(owning: Zygote.connection))
    JobProcess.warmUp()
    try Zygote.serve(socket, prepare: JobProcess.prepare)
  }
}
