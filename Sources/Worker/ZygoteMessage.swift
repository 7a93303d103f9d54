/// What a supervisor and its zygote say to each other; one packet each, in words.
enum ZygoteMessage: Hashable {
  /// The zygote is warm.
  case ready
  /// Fork: three descriptors come along, to be the job's standard input, output and error.
  case fork(ticket: UInt64)
  /// From the new process itself: it lives, and has this number.
  case forked(ticket: UInt64, pid: Int32)
  /// There is no new process, for this reason (errno).
  case failed(ticket: UInt64, code: Int32)

  /// The packet's content.
  var bytes: [UInt8] {
    let text =
      switch self {
      case .ready: "ready"
      case .fork(let ticket): "fork \(ticket)"
      case .forked(let ticket, let pid): "forked \(ticket) \(pid)"
      case .failed(let ticket, let code): "failed \(ticket) \(code)"
      }
    return Array(text.utf8)
  }

  /// Reads a packet; `nil` for what nobody of us sends.
  init?(_ bytes: [UInt8]) {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    let ticket = words.count > 1 ? UInt64(words[1]) : nil
    let number = words.count > 2 ? Int32(words[2]) : nil
    switch (words.first, ticket, number) {
    case ("ready", nil, nil): self = .ready
    case ("fork", let ticket?, nil): self = .fork(ticket: ticket)
    case ("forked", let ticket?, let pid?): self = .forked(ticket: ticket, pid: pid)
    case ("failed", let ticket?, let code?): self = .failed(ticket: ticket, code: code)
    default: return nil
    }
  }
}
