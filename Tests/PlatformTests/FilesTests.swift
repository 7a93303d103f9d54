import Glibc
import Testing

@testable import Platform

@Suite("Files", .temporaryDirectory)
struct FilesTests {
  @Test func `an exchange swaps two directories`() throws {
    try Files.makeDirectory(path("a"))
    try Files.makeDirectory(path("b"))
    try makeFile("a/old")
    try makeFile("b/new")
    try Files.exchange(path("a"), path("b"))
    #expect(try Files.list(path("a")) == ["new"])
    #expect(try Files.list(path("b")) == ["old"])
  }

  @Test func `an exchange with a missing name changes nothing`() throws {
    try makeFile("a", "A")
    #expect(throws: PlatformError.self) { try Files.exchange(path("a"), path("b")) }
    #expect(throws: PlatformError.self) { try Files.exchange(path("b"), path("a")) }
    #expect(try text(path("a")) == "A")
    #expect(try Files.list(directory) == ["a"])
  }

  @Test func `an exchange by renames swaps too, and leaves nothing else`() throws {
    try Files.makeDirectory(path("a"))
    try makeFile("a/old")
    try makeFile("b", "new")
    try Files.exchangeByRenames(path("a"), path("b"))
    #expect(try text(path("a")) == "new")
    #expect(try Files.list(path("b")) == ["old"])
    #expect(throws: PlatformError.self) { try Files.exchangeByRenames(path("none"), path("b")) }
    #expect(throws: PlatformError.self) { try Files.exchangeByRenames(path("a"), path("none")) }
    #expect(Set(try Files.list(directory)) == ["a", "b"])
  }

  @Test func `a staged directory is installed where nothing is`() throws {
    try Files.makeDirectory(path("staged"))
    try makeFile("staged/x")
    #expect(try Files.install(path("staged"), at: path("out")) == .fresh)
    #expect(try Files.list(directory) == ["out"])
    #expect(try Files.list(path("out")) == ["x"])
  }

  @Test func `an installed directory leaves the one before it under the staged name`() throws {
    try Files.makeDirectory(path("out"))
    try makeFile("out/old")
    try Files.makeDirectory(path("staged"))
    try makeFile("staged/new")
    #expect(try Files.install(path("staged"), at: path("out")) == .exchanged)
    #expect(try Files.list(path("out")) == ["new"])
    #expect(try Files.list(path("staged")) == ["old"])
  }

  @Test func `installing a missing directory names it and leaves the target`() throws {
    try makeFile("out", "kept")
    let error = #expect(throws: PlatformError.self) {
      try Files.install(path("staged"), at: path("out"))
    }
    #expect(error?.isNotFound == true)
    #expect(try text(path("out")) == "kept")
  }

  @Test(.enabled(if: otherFileSystem != nil, "needs /dev/shm on a file system of its own"))
  func `installing across file systems is refused as such`() throws {
    let other = try #require(otherFileSystem) + "/keymill-test-\(UInt64.random(in: .min ... .max))"
    defer { try? Files.removeTree(other) }
    try makeFile("staged")
    let error = #expect(throws: PlatformError.self) {
      try Files.install(path("staged"), at: other)
    }
    #expect(error?.code == .crossDevice)
    #expect(try Files.list(directory) == ["staged"])
  }

  @Test func `removing a tree takes all of it and follows no link`() throws {
    try Files.makeDirectory(path("kept"))
    try makeFile("kept/file")
    try Files.makeDirectory(path("tree/deep/deeper"))
    try makeFile("tree/deep/file")
    try makeLink(path("tree/deep/link"), to: path("kept"))
    try makeLink(path("tree/dangling"), to: "nowhere")
    try Files.removeTree(path("tree"))
    #expect(try Files.list(directory) == ["kept"])
    #expect(try Files.list(path("kept")) == ["file"])
  }

  @Test func `removing a tree that is a link removes the link`() throws {
    try Files.makeDirectory(path("kept"))
    try makeFile("kept/file")
    try makeLink(path("link"), to: path("kept"))
    try Files.removeTree(path("link"))
    #expect(try Files.list(directory) == ["kept"])
    #expect(try Files.list(path("kept")) == ["file"])
  }

  @Test func `removing a tree takes names that are not UTF-8`() throws {
    try Files.makeDirectory(path("tree"))
    let name = Array(path("tree/bad-").utf8).map(CChar.init(bitPattern:)) + [-1, -2, 0]
    // The array ends with the null that the call looks for.
    let descriptor = unsafe open(name, O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
    try Files.removeTree(path("tree"))
    #expect(try Files.list(directory) == [])
  }

  @Test func `removing what is not there is no error`() throws {
    try Files.removeTree(path("nothing"))
    try Files.removeFile(path("nothing"))
  }

  @Test(arguments: [
    "-rf", "a:b.mp4", "100% %03d.png", "grün\u{0308} 🎬", "new\nline", "~", "*", "'\"\\",
  ])
  func `any name is taken as it is`(name: String) throws {
    try makeFile(name, name)
    #expect(try Files.list(directory).map { Array($0.utf8) } == [Array(name.utf8)])
    try Files.rename(path(name), to: path(name + "2"))
    #expect(try Files.linkOrClone(path(name + "2"), to: path(name)) != .copy)
    #expect(try text(path(name)) == name)
    try Files.removeTree(path(name))
    try Files.removeFile(path(name + "2"))
    #expect(try Files.list(directory) == [])
  }

  @Test func `a link or clone on one file system holds the content`() throws {
    try makeFile("from", "song")
    let kind = try Files.linkOrClone(path("from"), to: path("to"))
    let same = try FileStatus(path("to")).isSameFile(as: FileStatus(path("from")))
    #expect(same == (kind == .hardLink))
    #expect(try text(path("to")) == "song")
  }

  @Test func `a file that is removed while it is linked is missing, or there with its content`()
    async throws
  {
    let (from, to) = (path("from"), path("to"))
    try await withThrowingTaskGroup { group in
      group.addTask { @concurrent in
        for _ in 0..<2000 {
          try AtomicFile.write("song", to: from)
          try Files.removeFile(from)
        }
      }
      group.addTask { @concurrent in
        for _ in 0..<4000 {
          do {
            _ = try Files.linkOrClone(from, to: to)
            #expect(try Files.read(to) == Array("song".utf8))
            try Files.removeFile(to)
          } catch let error as PlatformError {
            #expect(error.isNotFound && error.subject == from)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `linking follows a symbolic link to its file`() throws {
    try makeFile("from", "song")
    try makeLink(path("link"), to: "from")
    _ = try Files.linkOrClone(path("link"), to: path("to"))
    #expect(try FileStatus(path("to"), followingLinks: false).kind == .file)
    #expect(try text(path("to")) == "song")
  }

  @Test func `linking never replaces a file`() throws {
    try makeFile("from", "new")
    try makeFile("to", "old")
    let error = #expect(throws: PlatformError.self) {
      try Files.linkOrClone(path("from"), to: path("to"))
    }
    #expect(error?.code == .exists)
    #expect(try text(path("to")) == "old")
  }

  @Test(.enabled(if: otherFileSystem != nil, "needs /dev/shm on a file system of its own"))
  func `linking across file systems copies`() throws {
    let other = try #require(otherFileSystem) + "/keymill-test-\(UInt64.random(in: .min ... .max))"
    defer { try? Files.removeTree(other) }
    let content = String(repeating: "0123456789", count: 300_000)
    try makeFile("from", content)
    #expect(try Files.linkOrClone(path("from"), to: other) == .copy)
    #expect(try text(other) == content)
  }

  @Test func `directories are made with those above them, and once more without harm`() throws {
    try Files.makeDirectory(path("a/b//c/"))
    try Files.makeDirectory(path("a/b/c"))
    #expect(try FileStatus(path("a/b/c")).kind == .directory)
    try makeFile("file")
    let error = #expect(throws: PlatformError.self) { try Files.makeDirectory(path("file/x")) }
    #expect(error?.isNotFound == true)
    #expect(throws: PlatformError.self) { try Files.makeDirectory(path("file")) }
  }

  @Test func `files and directories are synced, and a missing one says which`() throws {
    try makeFile("file")
    try Files.syncFile(path("file"))
    try Files.syncDirectory(directory)
    let error = #expect(throws: PlatformError.self) { try Files.syncDirectory(path("none")) }
    #expect(error?.description == "\(path("none")): No such file or directory (open)")
  }

  @Test(arguments: [
    ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/", ".", "a"), ("/", "/", ""),
    ("", ".", ""), ("a//b//", "a", "b"), ("./-x", ".", "-x"), ("//a", "/", "a"),
  ])
  func `a path has a parent and a name`(path: String, parent: String, name: String) {
    #expect(Files.parent(of: path) == parent)
    #expect(Files.name(of: path) == name)
  }

  @Test func `a local directory has free space and is no network file system`() throws {
    #expect(try Files.freeSpace(directory) > 0)
    #expect(try !Files.isNetworkFileSystem("/proc"))
    #expect(throws: PlatformError.self) { try Files.freeSpace(path("none")) }
  }
}

@Suite("AtomicFile", .temporaryDirectory)
struct AtomicFileTests {
  @Test func `a file is written whole and leaves nothing beside it`() throws {
    try makeFile("manifest.json", "old and longer")
    try AtomicFile.write("new", to: path("manifest.json"))
    #expect(try text(path("manifest.json")) == "new")
    #expect(try Files.list(directory) == ["manifest.json"])
  }

  @Test func `a failure keeps the old content and leaves nothing beside it`() throws {
    try Files.makeDirectory(path("out/full"))
    let error = #expect(throws: PlatformError.self) {
      try AtomicFile.write("new", to: path("out"))
    }
    #expect(error?.subject == path("out"))
    #expect(try Files.list(directory) == ["out"])
    #expect(try Files.list(path("out")) == ["full"])
  }

  @Test func `a reader sees the old or the new content and nothing else`() throws {
    let (old, new) = (String(repeating: "o", count: 9_000), String(repeating: "n", count: 9_000))
    try AtomicFile.write(old, to: path("file"))
    let held = try FileDescriptor.open(path("file"), .read)
    try AtomicFile.write(new, to: path("file"))
    #expect(String(decoding: try held.readToEnd(), as: UTF8.self) == old)
    #expect(try text(path("file")) == new)
  }

  @Test func `a name of 255 bytes can be written`() throws {
    let name = String(repeating: "x", count: 255)
    try AtomicFile.write("content", to: path(name), permissions: 0o600)
    #expect(try FileStatus(path(name)).permissions == 0o600)
  }

  @Test func `a directory is made with those above it, and twice is no error`() throws {
    try Files.makeDirectory(path("a/b/c"))
    try Files.makeDirectory(path("a/b/c"))
    #expect(try FileStatus(path("a/b/c")).kind == .directory)
  }

  @Test func `a directory where none can be made is an error, not an endless try`() {
    #expect(throws: PlatformError.self) { try Files.makeDirectory("/proc/keymill/out") }
  }

  @Test func `a new directory must not be there yet`() throws {
    try Files.makeNewDirectory(path("new"))
    #expect { try Files.makeNewDirectory(path("new")) } throws: {
      ($0 as? PlatformError)?.code == .exists
    }
  }
}
