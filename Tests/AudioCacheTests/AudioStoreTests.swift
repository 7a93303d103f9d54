import AudioCache
import Digests
import Platform
import Testing

@Suite struct AudioStoreTests {
  private let fixture: StoreFixture
  private var store: AudioStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  @Test func `a track is stored under its digest`() throws {
    let path = try fixture.output("a.mp3", "music")
    let insertion = try store.insert(fileAt: path, fileExtension: "MP3")
    let hex = digest(of: "music").hex
    #expect(insertion.isNew)
    #expect(insertion.track.path == "\(store.root)/\(hex.prefix(2))/\(hex).mp3")
    #expect(insertion.track.size == 5)
    #expect(try content(of: insertion.track.path) == "music")
    #expect(try store.lookup(digest(of: "music")) == insertion.track)
    #expect(try fixture.incoming.isEmpty)
  }

  @Test func `the first file keeps its content and shares it`() throws {
    let path = try fixture.output("a.mp3", "music")
    let insertion = try store.insert(fileAt: path, fileExtension: "mp3")
    #expect(insertion.sharing != .copy)
    #expect(try content(of: path) == "music")
  }

  @Test func `the second file of a content is replaced by a link`() throws {
    let first = try fixture.output("a.mp3", "music")
    let second = try fixture.output("b.mp3", "music")
    let stored = try store.insert(fileAt: first, fileExtension: "mp3").track
    let insertion = try store.insert(
      fileAt: second, digest: digest(of: "music"), fileExtension: "mp3")
    #expect(insertion.isNew == false)
    #expect(insertion.track == stored)
    #expect(insertion.sharing != .copy)
    #expect(try content(of: second) == "music")
    #expect(try Files.list(fixture.directory + "/out").sorted() == ["a.mp3", "b.mp3"])
    if insertion.sharing == .hardLink {
      #expect(try FileStatus(second).isSameFile(as: FileStatus(stored.path)))
    }
  }

  @Test func `putting a stored file in again changes nothing`() throws {
    let path = try fixture.output("a.mp3", "music")
    let first = try store.insert(fileAt: path, fileExtension: "mp3")
    let again = try store.insert(fileAt: path, fileExtension: "mp3")
    #expect(again.track == first.track)
    #expect(try store.tracks() == [first.track])
  }

  @Test func `what is stored cannot be opened for writing`() throws {
    let path = try fixture.output("a.mp3", "music")
    let insertion = try store.insert(fileAt: path, fileExtension: "mp3")
    #expect(try FileStatus(insertion.track.path).permissions == 0o444)
    // A reflinked output is a file of its own, which its owner may go on writing to.
    let mode = try FileStatus(path).permissions
    #expect(insertion.sharing == .hardLink ? mode == 0o444 : mode & 0o200 != 0)
  }

  @Test func `contents are told apart and listed by digest`() throws {
    for text in ["one", "two", "three"] {
      _ = try store.insert(fileAt: fixture.output(text, text), fileExtension: "wav")
    }
    let digests = try store.tracks().map(\.digest)
    #expect(digests == ["one", "two", "three"].map(digest).sorted { $0.hex < $1.hex })
  }

  @Test func `a store that has never been used is empty`() throws {
    #expect(try store.lookup(digest(of: "music")) == nil)
    #expect(try store.tracks().isEmpty)
    #expect(try store.verify().isClean)
    #expect(try store.sweep() == 0)
    #expect(try store.remove(digest(of: "music")) == false)
  }

  @Test func `removing a track leaves the outputs that share it`() throws {
    let path = try fixture.output("a.mp3", "music")
    let track = try store.insert(fileAt: path, fileExtension: "mp3").track
    #expect(try store.remove(track.digest))
    #expect(try store.lookup(track.digest) == nil)
    #expect(try content(of: path) == "music")
  }

  @Test func `a stored file of the wrong size gives way to a right one`() throws {
    let track = try store.insert(
      fileAt: fixture.output("a.mp3", "music"), fileExtension: "mp3"
    ).track
    let second = try fixture.output("b.mp3", "music")
    try damage(track.path, with: "mus")
    let insertion = try store.insert(fileAt: second, digest: track.digest, fileExtension: "mp3")
    #expect(insertion.isNew)
    #expect(try content(of: insertion.track.path) == "music")
    #expect(try store.verify().isClean)
  }

  @Test func `a file that is not what it is said to be is refused`() throws {
    let track = try store.insert(
      fileAt: fixture.output("a.mp3", "music"), fileExtension: "mp3"
    ).track
    let other = try fixture.output("b.mp3", "noise!")
    #expect(
      throws: AudioStoreError.wrongContent(
        path: other, expected: track.digest, actual: digest(of: "noise!"))
    ) {
      try store.insert(fileAt: other, digest: track.digest, fileExtension: "mp3")
    }
    #expect(try content(of: other) == "noise!")
    #expect(try content(of: track.path) == "music")
  }

  @Test(arguments: ["", ".mp3", "m/p", "mp3.", "ü", "aaaaaaaaaaaaaaaaa"])
  func `an extension that could be anything else is refused`(name: String) throws {
    let path = try fixture.output("a", "music")
    #expect(throws: AudioStoreError.badExtension(name)) {
      try store.insert(fileAt: path, fileExtension: name)
    }
  }

  @Test func `a directory is not stored and a missing file is an error of the system`() throws {
    #expect(throws: AudioStoreError.notAFile(path: fixture.directory)) {
      try store.insert(fileAt: fixture.directory, fileExtension: "mp3")
    }
    let missing = fixture.directory + "/missing"
    let error = #expect(throws: AudioStoreError.self) {
      try store.insert(fileAt: missing, fileExtension: "mp3")
    }
    guard case .system(let cause) = error else {
      Issue.record("\(String(describing: error)) is of the system")
      return
    }
    #expect(cause.isNotFound)
  }

  @Test func `the root is by variable else in the user's cache directory`() {
    #expect(AudioStore.defaultRoot(environment: ["KEYMILL_CACHE": "/big/audio"]) == "/big/audio")
    #expect(
      AudioStore.defaultRoot(environment: ["XDG_CACHE_HOME": "/c", "KEYMILL_CACHE": ""])
        == "/c/keymill/audio")
    #expect(
      AudioStore.defaultRoot(environment: ["HOME": "/home/u"]) == "/home/u/.cache/keymill/audio")
  }
}
