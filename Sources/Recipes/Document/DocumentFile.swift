import Glibc

/// The bytes of the file at `path`, up to one more than a document may have.
///
/// A clip given where a recipe belongs is common; no more of it is read than tells that it is none.
func readDocument(_ path: String) throws(RecipeError) -> [UInt8] {
  func failure(_ code: Int32) -> RecipeError {
    // `strerror` returns a C string that stays valid until the next call on this thread.
    let reason = unsafe String(cString: strerror(code))
    return RecipeError(
      kind: .unreadable, name: path, position: nil, path: "",
      message: "cannot read the recipe: \(reason)")
  }

  // The path is a C string for the length of the call.
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw failure(errno) }
  defer { close(descriptor) }

  var bytes = [UInt8](repeating: 0, count: SourceText.largestSize + 1)
  var length = 0
  while length < bytes.count {
    // The buffer is written between `length` and its end, which `read` is told.
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress.map { unsafe $0 + length }, buffer.count - length)
    }
    if count == 0 { break }
    if count > 0 { length += count } else if errno != EINTR { throw failure(errno) }
  }
  return Array(bytes[..<length])
}
