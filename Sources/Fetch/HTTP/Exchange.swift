import CCurl
import Glibc
import Platform

/// Who is interested in an answer.
///
/// What it throws ends the transfer.
protocol AnswerTaker: AnyObject {
  /// Takes the head.
  /// - Returns: Whether the body is wanted.
  func take(_ head: ResponseHead) throws(FetchError) -> Bool
  /// Takes a piece of the body.
  func take(_ piece: RawSpan) throws(FetchError)
}

/// One request and what comes back, as libcurl's callbacks see it.
final class Exchange {
  private let taker: any AnswerTaker
  /// Whether only public addresses may be connected to.
  private let isPublicOnly: Bool

  private var head = ResponseHead()
  private var headBytes = 0
  /// Whether the head came whole; lines after it are trailers.
  private(set) var hasHead = false
  /// Whether there is no interest in the body, which ended the transfer.
  private(set) var isCutByUs = false
  /// Why the answer was not taken.
  private(set) var failure: FetchError?
  /// The last address that was not connected to because it is not public.
  private(set) var refusedAddress: NetworkAddress?
  /// Whether a connection to any address was tried.
  private(set) var hasTriedToConnect = false
  /// Whether one of them was not public.
  private(set) var hasMetPrivateAddress = false

  /// More than any server needs; a head without an end is not kept in memory.
  private static let largestHead = 256 << 10

  init(_ taker: any AnswerTaker, isPublicOnly: Bool) {
    self.taker = taker
    self.isPublicOnly = isPublicOnly
  }

  /// Takes a line of the head.
  /// - Returns: whether to go on.
  fileprivate func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !hasHead else { return true }
    headBytes += bytes.count
    guard headBytes <= Self.largestHead else { return false }
    let line = unsafe String(decoding: bytes, as: UTF8.self).trimmingWhitespace()
    guard line.isEmpty else {
      head.add(line)
      return true
    }
    guard !head.isProvisional else { return true }
    hasHead = true
    return attempt { () throws(FetchError) in
      isCutByUs = try !taker.take(head)
    } && !isCutByUs
  }

  /// Takes a piece of the body.
  /// - Returns: whether to go on.
  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The span is used only until libcurl's buffer is given back.
    attempt { () throws(FetchError) in try taker.take(unsafe bytes.bytes) }
  }

  private func attempt(_ body: () throws(FetchError) -> Void) -> Bool {
    do throws(FetchError) {
      try body()
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// Whether a connection to an address may be made; asked for the very one that is then made.
  fileprivate func permits(_ address: NetworkAddress?) -> Bool {
    guard !isPublicOnly || address?.isPublic == true else {
      refusedAddress = address
      return false
    }
    hasTriedToConnect = true
    if address?.isPublic != true { hasMetPrivateAddress = true }
    return true
  }
}

// MARK: - What libcurl calls

// The context is the exchange, which outlives the transfer it was set for (`HTTPClient`).

private func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
  unsafe context.map { unsafe Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
}

@c func km_receive_line(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  return unsafe exchange(context)?.receiveLine(line) == true ? size * count : 0
}

@c func km_receive_body(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  // 0 for an empty piece would be as good as all of it.
  return unsafe exchange(context)?.receiveBody(piece) == true ? size * count : -1
}

/// Makes the socket for an address that was found, unless it may not be connected to.
@c func km_open_socket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let address = unsafe address, let exchange = unsafe exchange(context) else { return -1 }
  var bytes = [UInt8](repeating: 0, count: 16)
  // Writes 16 bytes at most.
  let count = unsafe km_curl_address(address, &bytes)
  guard exchange.permits(NetworkAddress(bytes: Array(bytes.prefix(Int(count))))) else { return -1 }
  let kind = unsafe address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
  return unsafe socket(address.pointee.family, kind, address.pointee.protocol)
}
