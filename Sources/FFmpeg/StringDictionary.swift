internal import CFFmpeg

/// An owned `AVDictionary`: options on their way into a call, or metadata to write.
@safe struct StringDictionary: ~Copyable {
  // Owned; FFmpeg's setters replace it, `deinit` frees what is left.
  private var entries: OpaquePointer?

  init(_ values: [String: String] = [:]) {
    unsafe entries = nil
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      unsafe av_dict_set(&entries, key, value, 0)
    }
  }

  deinit {
    var entries = unsafe entries
    unsafe av_dict_free(&entries)
  }

  /// Lends the dictionary to a call that takes entries out or replaces it.
  mutating func lend<R>(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> R) -> R {
    unsafe body(&entries)
  }

  /// Gives the dictionary away; the receiver frees it.
  mutating func release() -> OpaquePointer? {
    defer { unsafe entries = nil }
    return unsafe entries
  }

  /// Throws where an entry is left over: an option that the call did not know.
  func refuseUnknown(call: String, subject: String) throws(FFmpegError) {
    guard let key = unsafe Self.values(of: entries).keys.min() else { return }
    throw FFmpegError(
      code: .optionNotFound, call: call, subject: subject, detail: "There is no option '\(key)'")
  }

  /// Copies the entries of a dictionary that another object owns.
  static func values(of dictionary: OpaquePointer?) -> [String: String] {
    var values: [String: String] = [:]
    // An entry is valid until the dictionary changes, and nothing changes it here.
    var entry = unsafe av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
    while let current = unsafe entry {
      unsafe values[String(cString: current.pointee.key)] =
        String(cString: current.pointee.value)
      unsafe entry = av_dict_get(dictionary, "", current, AV_DICT_IGNORE_SUFFIX)
    }
    return values
  }
}
