import Platform
import TestSupport

/// Makes a file with this content in the running test's directory.
@discardableResult
func makeFile(_ name: String, _ bytes: [UInt8]) throws -> String {
  let file = try FileDescriptor.open(path(name), .create)
  try file.writeAll(bytes)
  try file.close()
  return path(name)
}
