import Platform
import TestSupport

/// Makes a file in the running test's directory, as a copying program does.
func makeFile(_ name: String, _ text: String = "content") throws {
  let file = try FileDescriptor.open(path(name), .write)
  try file.writeAll(text)
}

/// Makes a file elsewhere and moves it to its place in the running test's directory.
func moveIn(_ name: String, _ text: String = "content") throws {
  try makeFile("elsewhere", text)
  try Files.rename(path("elsewhere"), to: path(name))
}
