import Glibc
public import Platform
import Synchronization

/// What a server does with a connection once it has the request.
public enum Step: Sendable {
  /// Sends.
  case send([UInt8])
  /// Does nothing until the client hangs up.
  case wait
  /// Sends a byte every so many milliseconds until the client hangs up.
  case drip(everyMS: Int32)
  /// Ends the connection as a crash would.
  case reset

  /// Sends a head: a status, and fields each ending in nothing.
  public static func head(_ status: String, _ fields: String...) -> Step {
    .send(Array((["HTTP/1.1 \(status)"] + fields + ["", ""]).joined(separator: "\r\n").utf8))
  }

  /// Sends a chunk of the chunked coding; the last one is empty.
  public static func chunk(_ bytes: [UInt8]) -> Step {
    .send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
  }
}

/// What a client asked for.
public struct Asked: Sendable {
  /// How many requests there were with this one.
  public let number: Int
  /// The path.
  public let path: String
  /// The fields, by their names in lower case.
  public let fields: [String: String]

  /// The first byte asked for.
  public var offset: Int { fields["range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0 }
}

/// A server on 127.0.0.1 that does to each request what a test tells it to, then closes.
public final class BadServer: Sendable {
  /// Where it listens.
  public let port: UInt16
  private let listener: Int32
  private let log = Log()

  private final class Log: Sendable {
    let asked = Mutex<[Asked]>([])
  }

  /// What it was asked so far.
  public var asked: [Asked] { log.asked.withLock { $0 } }

  /// Starts a server.
  public init(_ script: @escaping @Sendable (Asked) -> [Step]) throws {
    let socket = try ListeningSocket()
    (port, listener) = (socket.port, socket.number)
    let (log, listener) = (log, listener)
    let thread = try WorkerThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        if let asked = readRequest(connection, log.asked.withLock { $0.count + 1 }) {
          log.asked.withLock { $0.append(asked) }
          for step in script(asked) { carryOut(step, connection) }
        }
        close(connection)
      }
      close(listener)
    }
    thread.detach()
  }

  /// Starts a server of one file, whole or from a byte on, that tells its state by an `ETag`; to its first
  /// request it sends the beginning up to `halt` and then nothing more.
  public convenience init(serving file: [UInt8], haltingFirstAt halt: Int? = nil) throws {
    try self.init { asked in
      let part = Array(file[min(asked.offset, file.count)...])
      var head = ["ETag: \"1\"", "Content-Length: \(part.count)"]
      if asked.offset > 0 {
        head.append("Content-Range: bytes \(asked.offset)-\(file.count - 1)/\(file.count)")
      }
      let status = asked.offset > 0 ? "206 Partial Content" : "200 OK"
      let answer = Array((["HTTP/1.1 \(status)"] + head + ["", ""]).joined(separator: "\r\n").utf8)
      guard let halt, asked.number == 1 else { return [.send(answer + part)] }
      return [.send(answer + part.prefix(halt)), .wait]
    }
  }

  // Wakes the thread, whose `accept` fails from then on.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// A URL of it.
  public func url(_ path: String = "/track.mp3", user: String = "") -> String {
    "http://\(user)127.0.0.1:\(port)\(path)"
  }
}

/// A socket that listens on a free port of 127.0.0.1.
public struct ListeningSocket {
  /// Its descriptor, which is the caller's to close.
  public let number: Int32
  /// The port.
  public let port: UInt16

  /// Makes one.
  public init() throws(PlatformError) {
    number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = number
    // The calls read and write the structure, which lives longer.
    let result = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, size) | listen(number, 16) | getsockname(number, $0, &size)
      }
    }
    guard result == 0 else {
      throw PlatformError(code: ErrorCode(rawValue: errno), call: "bind", subject: "127.0.0.1")
    }
    port = UInt16(bigEndian: address.sin_port)
  }
}

/// Reads up to the empty line; `nil` where the client hangs up before.
private func readRequest(_ connection: Int32, _ number: Int) -> Asked? {
  var text = ""
  var buffer = [UInt8](repeating: 0, count: 4096)
  while !text.hasSuffix("\r\n\r\n") {
    let count = unsafe read(connection, &buffer, 4096)
    guard count > 0 else { return nil }
    text += String(decoding: buffer[..<count], as: UTF8.self)
  }
  let lines = text.split(separator: "\r\n")
  let fields = lines.dropFirst().compactMap { line in
    line.firstRange(of: ": ").map { (line[..<$0.lowerBound].lowercased(), line[$0.upperBound...]) }
  }
  return Asked(
    number: number, path: lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? "",
    fields: Dictionary(fields.map { ($0, String($1)) }) { first, _ in first })
}

private func carryOut(_ step: Step, _ connection: Int32) {
  switch step {
  case .send(let bytes):
    _ = unsafe send(connection, bytes, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
  case .wait: while !hangsUp(connection, withinMS: -1) {}
  case .drip(let interval):
    while !hangsUp(connection, withinMS: interval) { carryOut(.send([0]), connection) }
  case .reset:
    var linger = linger(l_onoff: 1, l_linger: 0)
    // The call reads the structure and keeps no pointer.
    unsafe setsockopt(
      connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }
}

/// Waits for the client to close its end.
private func hangsUp(_ connection: Int32, withinMS timeout: Int32) -> Bool {
  var wanted = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
  // The call writes one structure.
  guard unsafe poll(&wanted, 1, timeout) > 0 else { return false }
  var byte: UInt8 = 0
  return unsafe read(connection, &byte, 1) <= 0
}
