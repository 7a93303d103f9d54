import Recipes
import Testing

struct InputNameTests {
  @Test(arguments: [
    ("http://h/a", true), ("HTTPS://h/a", true), ("ftp://h/a", false), ("/a/http://h", false),
    ("a.mp3", false), ("http:/a", false), ("", false),
  ])
  func `only http and https URLs are URLs`(text: String, isURL: Bool) {
    #expect(InputName(text).isURL == isURL)
  }

  @Test(arguments: [
    ("https://me:s3cret@example.org:8443/a/b.mp3?x=1#t=3", "https://example.org:8443/a/b.mp3?x=1"),
    ("https://me@ex:s@cret@example.org/@home/a.mp3", "https://example.org/@home/a.mp3"),
    ("https://example.org?who=me@home", "https://example.org?who=me@home"),
    ("/music/me:s3cret@home.mp3", "/music/me:s3cret@home.mp3"),
  ])
  func `a URL is shown without user, password and fragment`(text: String, shown: String) {
    #expect(InputName(text).shown == shown)
  }

  @Test(arguments: [
    ("https://h/music/a%20b.mp3?token=x/y.z#f", "a b.mp3"),
    ("https://h/%C3%A9t%C3%A9.ogg", "été.ogg"),
    ("https://h/music/", "music"), ("https://h", "track"), ("https://h/", "track"),
    ("https://h/a/..", "track"), ("https://h/%2e%2e", "track"),
    ("https://h/..%2F..%2Fetc", ".._.._etc"),
    ("https://h/a%00b%0A.mp3", "a_b_.mp3"), ("https://h/%FF.mp3", "%FF.mp3"),
    ("https://h/100%", "100%"), ("https://h/%+1", "%+1"), ("/music/a%20b.mp3", "a%20b.mp3"),
  ])
  func `the file's name is decoded and leads nowhere else`(text: String, name: String) {
    #expect(InputName(text).fileName == name)
  }

  @Test func `a long name leaves room for what is put behind it`() {
    let name = InputName("https://h/" + String(repeating: "é", count: 500)).fileName
    #expect((150...200).contains(name.utf8.count))
  }

  @Test(arguments: [
    ("https://h/a.MP3?b.c", "mp3"), ("https://h/a", nil), ("https://h/.mp3", nil),
    ("https://h/a.not-one", nil), ("https://h/a.tar.gz", "gz"),
  ])
  func `the extension is that of the path`(text: String, expected: String?) {
    #expect(InputName(text).fileExtension == expected)
  }
}
