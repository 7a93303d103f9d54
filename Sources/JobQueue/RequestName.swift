internal import Digests

/// The name of a request as the file keeps it: half its SHA-256, since names may be long.
struct RequestName {
  let key: [UInt8]

  init(_ name: String) { key = Array(SHA256Digest(of: name).bytes.prefix(16)) }
}

extension SHA256Digest {
  /// The digest as 32 bytes.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in hex.utf8 {
      let value =
        digit < UInt8(ascii: "a") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
      if let first = high { bytes.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    return bytes
  }
}
